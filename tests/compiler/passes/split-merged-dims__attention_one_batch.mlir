// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2x20x3x16xf32>, %1: tensor<2x20x3x16xf32>, %2: tensor<2x20x3x16xf32>) -> (tensor<2x20x3x16xf32>) {
    %3 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<2x3x20x16xf32>) -> (tensor<6x20x16xf32>)
    %5 = "stablehlo.transpose"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %6 = "stablehlo.reshape"(%5) : (tensor<2x3x20x16xf32>) -> (tensor<6x20x16xf32>)
    %7 = "stablehlo.transpose"(%2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %8 = "stablehlo.reshape"(%7) : (tensor<2x3x20x16xf32>) -> (tensor<6x20x16xf32>)
    %9 = "stablehlo.transpose"(%6) <{permutation = array<i64: 0, 2, 1>}> : (tensor<6x20x16xf32>) -> (tensor<6x16x20xf32>)
    %10 = "stablehlo.dot_general"(%4, %9) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> (tensor<6x20x20xf32>)
    %11 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6x20x20xf32>)
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<6x20x20xf32>, tensor<6x20x20xf32>) -> (tensor<6x20x20xf32>)
    %14 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 2>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.maximum"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<6x20x20xf32>, tensor<f32>) -> (tensor<6x20xf32>)
    %19 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6x20xf32>)
    %21 = "stablehlo.maximum"(%20, %15) : (tensor<6x20xf32>, tensor<6x20xf32>) -> (tensor<6x20xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x20xf32>) -> (tensor<6x20x1xf32>)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x20x1xf32>) -> (tensor<6x20x20xf32>)
    %24 = "stablehlo.subtract"(%13, %23) : (tensor<6x20x20xf32>, tensor<6x20x20xf32>) -> (tensor<6x20x20xf32>)
    %25 = "stablehlo.exponential"(%24) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<6x20x20xf32>) -> (tensor<6x20x20xf32>)
    %26 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 2>}> ({
    ^bb0(%28: tensor<f32>, %29: tensor<f32>):
      %30 = "stablehlo.add"(%28, %29) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<6x20x20xf32>, tensor<f32>) -> (tensor<6x20xf32>)
    %31 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x20xf32>) -> (tensor<6x20x1xf32>)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x20x1xf32>) -> (tensor<6x20x20xf32>)
    %33 = "stablehlo.divide"(%25, %32) : (tensor<6x20x20xf32>, tensor<6x20x20xf32>) -> (tensor<6x20x20xf32>)
    %34 = "stablehlo.dot_general"(%33, %8) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> (tensor<6x20x16xf32>)
    %35 = "stablehlo.reshape"(%34) : (tensor<6x20x16xf32>) -> (tensor<2x3x20x16xf32>)
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x20x16xf32>) -> (tensor<2x20x3x16xf32>)
    "stablehlo.return"(%36) : (tensor<2x20x3x16xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2x20x3x16xf32>, %1: tensor<2x20x3x16xf32>, %2: tensor<2x20x3x16xf32>) -> (tensor<2x20x3x16xf32>) {
    %3 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %5 = "stablehlo.transpose"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %7 = "stablehlo.transpose"(%2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x20x3x16xf32>) -> (tensor<2x3x20x16xf32>)
    %37 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x3x20x16xf32>) -> (tensor<2x3x16x20xf32>)
    %38 = "stablehlo.dot_general"(%3, %37) <{lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x3x20x16xf32>, tensor<2x3x16x20xf32>) -> (tensor<2x3x20x20xf32>)
    %11 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %39 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x3x20x20xf32>)
    %40 = "stablehlo.multiply"(%38, %39) : (tensor<2x3x20x20xf32>, tensor<2x3x20x20xf32>) -> (tensor<2x3x20x20xf32>)
    %14 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %41 = "stablehlo.reduce"(%40, %14) <{dimensions = array<i64: 3>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.maximum"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<2x3x20x20xf32>, tensor<f32>) -> (tensor<2x3x20xf32>)
    %19 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %42 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x3x20xf32>)
    %43 = "stablehlo.maximum"(%42, %41) : (tensor<2x3x20xf32>, tensor<2x3x20xf32>) -> (tensor<2x3x20xf32>)
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x20xf32>) -> (tensor<2x3x20x1xf32>)
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x20x1xf32>) -> (tensor<2x3x20x20xf32>)
    %46 = "stablehlo.subtract"(%40, %45) : (tensor<2x3x20x20xf32>, tensor<2x3x20x20xf32>) -> (tensor<2x3x20x20xf32>)
    %47 = "stablehlo.exponential"(%46) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x3x20x20xf32>) -> (tensor<2x3x20x20xf32>)
    %26 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %48 = "stablehlo.reduce"(%47, %26) <{dimensions = array<i64: 3>}> ({
    ^bb0(%28: tensor<f32>, %29: tensor<f32>):
      %30 = "stablehlo.add"(%28, %29) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<2x3x20x20xf32>, tensor<f32>) -> (tensor<2x3x20xf32>)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x3x20xf32>) -> (tensor<2x3x20x1xf32>)
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x20x1xf32>) -> (tensor<2x3x20x20xf32>)
    %51 = "stablehlo.divide"(%47, %50) : (tensor<2x3x20x20xf32>, tensor<2x3x20x20xf32>) -> (tensor<2x3x20x20xf32>)
    %52 = "stablehlo.dot_general"(%51, %7) <{lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x3x20x20xf32>, tensor<2x3x20x16xf32>) -> (tensor<2x3x20x16xf32>)
    %36 = "stablehlo.transpose"(%52) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x3x20x16xf32>) -> (tensor<2x20x3x16xf32>)
    "stablehlo.return"(%36) : (tensor<2x20x3x16xf32>) -> ()
  }
}
