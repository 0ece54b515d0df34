// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x9x8x64xf32>, %1: tensor<64xf32>) -> (tensor<1x9x8x64xf32>) {
    %2 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x9x8x64xf32>) -> (tensor<1x8x9x64xf32>)
    %3 = "stablehlo.multiply"(%2, %2) : (tensor<1x8x9x64xf32>, tensor<1x8x9x64xf32>) -> (tensor<1x8x9x64xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 3>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<1x8x9x64xf32>, tensor<f32>) -> (tensor<1x8x9xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x8x9xf32>) -> (tensor<1x8x9x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<6.400000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x8x9x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<1x8x9x1xf32>, tensor<1x8x9x1xf32>) -> (tensor<1x8x9x1xf32>)
    %13 = "stablehlo.constant"() <{value = dense<9.999999975e-07> : tensor<f32>}> : () -> (tensor<f32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x8x9x1xf32>)
    %15 = "stablehlo.add"(%12, %14) : (tensor<1x8x9x1xf32>, tensor<1x8x9x1xf32>) -> (tensor<1x8x9x1xf32>)
    %16 = "stablehlo.rsqrt"(%15) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x8x9x1xf32>) -> (tensor<1x8x9x1xf32>)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x9x1xf32>) -> (tensor<1x8x9x64xf32>)
    %18 = "stablehlo.multiply"(%2, %17) : (tensor<1x8x9x64xf32>, tensor<1x8x9x64xf32>) -> (tensor<1x8x9x64xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 3>}> : (tensor<64xf32>) -> (tensor<1x1x1x64xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x64xf32>) -> (tensor<1x8x9x64xf32>)
    %21 = "stablehlo.multiply"(%18, %20) : (tensor<1x8x9x64xf32>, tensor<1x8x9x64xf32>) -> (tensor<1x8x9x64xf32>)
    %22 = "stablehlo.transpose"(%21) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x8x9x64xf32>) -> (tensor<1x9x8x64xf32>)
    "stablehlo.return"(%22) : (tensor<1x9x8x64xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x9x8x64xf32>, %1: tensor<64xf32>) -> (tensor<1x9x8x64xf32>) {
    %23 = "stablehlo.multiply"(%0, %0) : (tensor<1x9x8x64xf32>, tensor<1x9x8x64xf32>) -> (tensor<1x9x8x64xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.reduce"(%23, %4) <{dimensions = array<i64: 3>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<1x9x8x64xf32>, tensor<f32>) -> (tensor<1x9x8xf32>)
    %25 = "stablehlo.reshape"(%24) : (tensor<1x9x8xf32>) -> (tensor<1x9x8x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<6.400000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x8x9x1xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x9x8x1xf32>)
    %27 = "stablehlo.divide"(%25, %26) : (tensor<1x9x8x1xf32>, tensor<1x9x8x1xf32>) -> (tensor<1x9x8x1xf32>)
    %13 = "stablehlo.constant"() <{value = dense<9.999999975e-07> : tensor<f32>}> : () -> (tensor<f32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x8x9x1xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x9x8x1xf32>)
    %29 = "stablehlo.add"(%27, %28) : (tensor<1x9x8x1xf32>, tensor<1x9x8x1xf32>) -> (tensor<1x9x8x1xf32>)
    %30 = "stablehlo.rsqrt"(%29) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x9x8x1xf32>) -> (tensor<1x9x8x1xf32>)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x9x8x1xf32>) -> (tensor<1x9x8x64xf32>)
    %32 = "stablehlo.multiply"(%0, %31) : (tensor<1x9x8x64xf32>, tensor<1x9x8x64xf32>) -> (tensor<1x9x8x64xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 3>}> : (tensor<64xf32>) -> (tensor<1x1x1x64xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x64xf32>) -> (tensor<1x8x9x64xf32>)
    %33 = "stablehlo.transpose"(%19) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x1x1x64xf32>) -> (tensor<1x1x1x64xf32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x64xf32>) -> (tensor<1x9x8x64xf32>)
    %35 = "stablehlo.multiply"(%32, %34) : (tensor<1x9x8x64xf32>, tensor<1x9x8x64xf32>) -> (tensor<1x9x8x64xf32>)
    %22 = "stablehlo.reshape"(%35) : (tensor<1x9x8x64xf32>) -> (tensor<1x9x8x64xf32>)
    "stablehlo.return"(%22) : (tensor<1x9x8x64xf32>) -> ()
  }
}
