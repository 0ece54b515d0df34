// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2x12x16x20xf32>, %1: tensor<12xf32>, %2: tensor<12xf32>) -> (tensor<2x12x16x20xf32>) {
    %3 = "stablehlo.reshape"(%0) : (tensor<2x12x16x20xf32>) -> (tensor<2x4x960xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 2>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %41 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> (tensor<2x4x960xf32>)
    %42 = "stablehlo.subtract"(%3, %41) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %43 = "stablehlo.multiply"(%42, %42) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %51 = "stablehlo.reduce"(%43, %4) <{dimensions = array<i64: 2>}> ({
    ^bb0(%48: tensor<f32>, %49: tensor<f32>):
      %50 = "stablehlo.add"(%48, %49) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %54 = "stablehlo.divide"(%52, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %17 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %19 = "stablehlo.add"(%54, %18) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %20 = "stablehlo.rsqrt"(%19) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> (tensor<2x4x960xf32>)
    %22 = "stablehlo.multiply"(%42, %21) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %23 = "stablehlo.reshape"(%22) : (tensor<2x4x960xf32>) -> (tensor<2x12x16x20xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x1x1xf32>) -> (tensor<2x12x16x20xf32>)
    %27 = "stablehlo.multiply"(%23, %26) : (tensor<2x12x16x20xf32>, tensor<2x12x16x20xf32>) -> (tensor<2x12x16x20xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x1x1xf32>) -> (tensor<2x12x16x20xf32>)
    %31 = "stablehlo.add"(%27, %30) : (tensor<2x12x16x20xf32>, tensor<2x12x16x20xf32>) -> (tensor<2x12x16x20xf32>)
    "stablehlo.return"(%31) : (tensor<2x12x16x20xf32>) -> ()
  }
  func.func private @_var(%0: tensor<2x4x960xf32>, %1: tensor<i32>) -> (tensor<2x4x1xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.reduce"(%0, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %8 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %10 = "stablehlo.divide"(%7, %9) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> (tensor<2x4x960xf32>)
    %12 = "stablehlo.subtract"(%0, %11) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %14 = "stablehlo.convert"(%1) : (tensor<i32>) -> (tensor<f32>)
    %16 = "stablehlo.subtract"(%8, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %18 = "stablehlo.reduce"(%13, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%19: tensor<f32>, %20: tensor<f32>):
      %21 = "stablehlo.add"(%19, %20) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %23 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %24 = "stablehlo.divide"(%22, %23) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %26 = "stablehlo.compare"(%16, %2) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
    %27 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %28 = "stablehlo.call"(%26, %24, %27) <{callee = @_where}> : (tensor<i1>, tensor<2x4x1xf32>, tensor<f32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%28) : (tensor<2x4x1xf32>) -> ()
  }
  func.func private @_where(%0: tensor<i1>, %1: tensor<2x4x1xf32>, %2: tensor<f32>) -> (tensor<2x4x1xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %5 = "stablehlo.select"(%0, %1, %4) : (tensor<i1>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%5) : (tensor<2x4x1xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2x12x16x20xf32>, %1: tensor<12xf32>, %2: tensor<12xf32>) -> (tensor<2x12x16x20xf32>) {
    %61 = "stablehlo.reshape"(%0) : (tensor<2x12x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %62 = "stablehlo.reduce"(%61, %4) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x16x20xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %5 = "stablehlo.reshape"(%62) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %63 = "stablehlo.reshape"(%12) : (tensor<2x4x1xf32>) -> (tensor<2x4xf32>)
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x3x16x20xf32>)
    %65 = "stablehlo.subtract"(%61, %64) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %66 = "stablehlo.multiply"(%65, %65) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %67 = "stablehlo.reduce"(%66, %4) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%48: tensor<f32>, %49: tensor<f32>):
      %50 = "stablehlo.add"(%48, %49) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x16x20xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %51 = "stablehlo.reshape"(%67) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %54 = "stablehlo.divide"(%52, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %17 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %19 = "stablehlo.add"(%54, %18) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %20 = "stablehlo.rsqrt"(%19) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %68 = "stablehlo.reshape"(%20) : (tensor<2x4x1xf32>) -> (tensor<2x4xf32>)
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x3x16x20xf32>)
    %70 = "stablehlo.multiply"(%65, %69) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %71 = "stablehlo.reshape"(%25) : (tensor<1x12x1x1xf32>) -> (tensor<4x3xf32>)
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> (tensor<2x4x3x16x20xf32>)
    %73 = "stablehlo.multiply"(%70, %72) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %74 = "stablehlo.reshape"(%29) : (tensor<1x12x1x1xf32>) -> (tensor<4x3xf32>)
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> (tensor<2x4x3x16x20xf32>)
    %76 = "stablehlo.add"(%73, %75) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %31 = "stablehlo.reshape"(%76) : (tensor<2x4x3x16x20xf32>) -> (tensor<2x12x16x20xf32>)
    "stablehlo.return"(%31) : (tensor<2x12x16x20xf32>) -> ()
  }
  func.func private @_var(%0: tensor<2x4x960xf32>, %1: tensor<i32>) -> (tensor<2x4x1xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.reduce"(%0, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %8 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %10 = "stablehlo.divide"(%7, %9) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> (tensor<2x4x960xf32>)
    %12 = "stablehlo.subtract"(%0, %11) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<2x4x960xf32>, tensor<2x4x960xf32>) -> (tensor<2x4x960xf32>)
    %14 = "stablehlo.convert"(%1) : (tensor<i32>) -> (tensor<f32>)
    %16 = "stablehlo.subtract"(%8, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %18 = "stablehlo.reduce"(%13, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%19: tensor<f32>, %20: tensor<f32>):
      %21 = "stablehlo.add"(%19, %20) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%21) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %23 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %24 = "stablehlo.divide"(%22, %23) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %26 = "stablehlo.compare"(%16, %2) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
    %27 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %28 = "stablehlo.call"(%26, %24, %27) <{callee = @_where}> : (tensor<i1>, tensor<2x4x1xf32>, tensor<f32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%28) : (tensor<2x4x1xf32>) -> ()
  }
  func.func private @_where(%0: tensor<i1>, %1: tensor<2x4x1xf32>, %2: tensor<f32>) -> (tensor<2x4x1xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %5 = "stablehlo.select"(%0, %1, %4) : (tensor<i1>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%5) : (tensor<2x4x1xf32>) -> ()
  }
}
