// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2x16x20x12xf32>, %1: tensor<12xf32>, %2: tensor<12xf32>) -> (tensor<2x16x20x12xf32>) {
    %3 = "stablehlo.reshape"(%0) : (tensor<2x16x20x12xf32>) -> (tensor<2x16x20x4x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> (tensor<2x1x1x4x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x1x1x4x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %13 = "stablehlo.multiply"(%3, %3) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %15 = "stablehlo.reduce"(%13, %4) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.add"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> (tensor<2x1x1x4x1xf32>)
    %22 = "stablehlo.divide"(%19, %11) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %23 = "stablehlo.multiply"(%12, %12) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %24 = "stablehlo.subtract"(%22, %23) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x16x20x4x3xf32>)
    %26 = "stablehlo.subtract"(%3, %25) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %27 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x1x1x4x1xf32>)
    %29 = "stablehlo.add"(%24, %28) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %30 = "stablehlo.rsqrt"(%29) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x16x20x4x3xf32>)
    %32 = "stablehlo.multiply"(%26, %31) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %33 = "stablehlo.reshape"(%32) : (tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x12xf32>)
    %34 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 3>}> : (tensor<12xf32>) -> (tensor<1x1x1x12xf32>)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> (tensor<2x16x20x12xf32>)
    %36 = "stablehlo.multiply"(%33, %35) : (tensor<2x16x20x12xf32>, tensor<2x16x20x12xf32>) -> (tensor<2x16x20x12xf32>)
    %37 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 3>}> : (tensor<12xf32>) -> (tensor<1x1x1x12xf32>)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> (tensor<2x16x20x12xf32>)
    %39 = "stablehlo.add"(%36, %38) : (tensor<2x16x20x12xf32>, tensor<2x16x20x12xf32>) -> (tensor<2x16x20x12xf32>)
    "stablehlo.return"(%39) : (tensor<2x16x20x12xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2x16x20x12xf32>, %1: tensor<12xf32>, %2: tensor<12xf32>) -> (tensor<2x16x20x12xf32>) {
    %3 = "stablehlo.reshape"(%0) : (tensor<2x16x20x12xf32>) -> (tensor<2x16x20x4x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %37 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> (tensor<2x4x3xf32>)
    %5 = "stablehlo.reduce"(%37, %4) <{dimensions = array<i64: 2>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> (tensor<2x1x1x4x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x1x1x4x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %13 = "stablehlo.multiply"(%3, %3) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %38 = "stablehlo.reduce"(%13, %4) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %17 = "stablehlo.add"(%15, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<2x16x20x4x3xf32>, tensor<f32>) -> (tensor<2x4x3xf32>)
    %14 = "stablehlo.reduce"(%38, %4) <{dimensions = array<i64: 2>}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %17 = "stablehlo.add"(%15, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> (tensor<2x1x1x4x1xf32>)
    %19 = "stablehlo.divide"(%18, %11) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %20 = "stablehlo.multiply"(%12, %12) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %21 = "stablehlo.subtract"(%19, %20) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x16x20x4x3xf32>)
    %23 = "stablehlo.subtract"(%3, %22) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %24 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x1x1x4x1xf32>)
    %26 = "stablehlo.add"(%21, %25) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %27 = "stablehlo.rsqrt"(%26) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x1x1x4x1xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> (tensor<2x16x20x4x3xf32>)
    %29 = "stablehlo.multiply"(%23, %28) : (tensor<2x16x20x4x3xf32>, tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x4x3xf32>)
    %30 = "stablehlo.reshape"(%29) : (tensor<2x16x20x4x3xf32>) -> (tensor<2x16x20x12xf32>)
    %31 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 3>}> : (tensor<12xf32>) -> (tensor<1x1x1x12xf32>)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> (tensor<2x16x20x12xf32>)
    %33 = "stablehlo.multiply"(%30, %32) : (tensor<2x16x20x12xf32>, tensor<2x16x20x12xf32>) -> (tensor<2x16x20x12xf32>)
    %34 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 3>}> : (tensor<12xf32>) -> (tensor<1x1x1x12xf32>)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> (tensor<2x16x20x12xf32>)
    %36 = "stablehlo.add"(%33, %35) : (tensor<2x16x20x12xf32>, tensor<2x16x20x12xf32>) -> (tensor<2x16x20x12xf32>)
    "stablehlo.return"(%36) : (tensor<2x16x20x12xf32>) -> ()
  }
}
