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
    %37 = "stablehlo.reshape"(%0) : (tensor<2x12x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %38 = "stablehlo.reduce"(%37, %4) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x16x20xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %5 = "stablehlo.reshape"(%38) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<9.600000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %12 = "stablehlo.divide"(%9, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %39 = "stablehlo.reshape"(%12) : (tensor<2x4x1xf32>) -> (tensor<2x4xf32>)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x3x16x20xf32>)
    %41 = "stablehlo.subtract"(%37, %40) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %42 = "stablehlo.multiply"(%41, %41) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %43 = "stablehlo.reduce"(%42, %4) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x16x20xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %16 = "stablehlo.reshape"(%43) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %21 = "stablehlo.divide"(%20, %11) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %22 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %24 = "stablehlo.add"(%21, %23) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %25 = "stablehlo.rsqrt"(%24) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %44 = "stablehlo.reshape"(%25) : (tensor<2x4x1xf32>) -> (tensor<2x4xf32>)
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x3x16x20xf32>)
    %46 = "stablehlo.multiply"(%41, %45) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %47 = "stablehlo.reshape"(%30) : (tensor<1x12x1x1xf32>) -> (tensor<4x3xf32>)
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> (tensor<2x4x3x16x20xf32>)
    %49 = "stablehlo.multiply"(%46, %48) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %33 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<12xf32>) -> (tensor<12x1x1xf32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<12x1x1xf32>) -> (tensor<1x12x1x1xf32>)
    %50 = "stablehlo.reshape"(%34) : (tensor<1x12x1x1xf32>) -> (tensor<4x3xf32>)
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> (tensor<2x4x3x16x20xf32>)
    %52 = "stablehlo.add"(%49, %51) : (tensor<2x4x3x16x20xf32>, tensor<2x4x3x16x20xf32>) -> (tensor<2x4x3x16x20xf32>)
    %36 = "stablehlo.reshape"(%52) : (tensor<2x4x3x16x20xf32>) -> (tensor<2x12x16x20xf32>)
    "stablehlo.return"(%36) : (tensor<2x12x16x20xf32>) -> ()
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
    %15 = "stablehlo.subtract"(%8, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %16 = "stablehlo.reduce"(%13, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<2x4x960xf32>, tensor<f32>) -> (tensor<2x4xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> (tensor<2x4x1xf32>)
    %21 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %22 = "stablehlo.divide"(%20, %21) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    %23 = "stablehlo.compare"(%15, %2) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
    %24 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.call"(%23, %22, %24) <{callee = @_where}> : (tensor<i1>, tensor<2x4x1xf32>, tensor<f32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%25) : (tensor<2x4x1xf32>) -> ()
  }
  func.func private @_where(%0: tensor<i1>, %1: tensor<2x4x1xf32>, %2: tensor<f32>) -> (tensor<2x4x1xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x4x1xf32>)
    %5 = "stablehlo.select"(%0, %1, %4) : (tensor<i1>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> (tensor<2x4x1xf32>)
    "stablehlo.return"(%5) : (tensor<2x4x1xf32>) -> ()
  }
}
