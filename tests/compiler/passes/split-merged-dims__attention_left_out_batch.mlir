// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x20x6x16xf32>, %1: tensor<1x20x2x16xf32>, %2: tensor<1x20x2x16xf32>) -> (tensor<1x20x6x16xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<1x20x2x16xf32>) -> (tensor<1x20x2x3x16xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x20x2x3x16xf32>) -> (tensor<1x20x6x16xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<1x20x2x16xf32>) -> (tensor<1x20x2x3x16xf32>)
    %6 = "stablehlo.reshape"(%5) : (tensor<1x20x2x3x16xf32>) -> (tensor<1x20x6x16xf32>)
    %7 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x20x6x16xf32>) -> (tensor<1x6x20x16xf32>)
    %8 = "stablehlo.transpose"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x20x6x16xf32>) -> (tensor<1x6x20x16xf32>)
    %9 = "stablehlo.transpose"(%6) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x20x6x16xf32>) -> (tensor<1x6x20x16xf32>)
    %10 = "stablehlo.transpose"(%8) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x6x20x16xf32>) -> (tensor<1x6x16x20xf32>)
    %11 = "stablehlo.reshape"(%7) : (tensor<1x6x20x16xf32>) -> (tensor<6x20x16xf32>)
    %12 = "stablehlo.reshape"(%10) : (tensor<1x6x16x20xf32>) -> (tensor<6x16x20xf32>)
    %13 = "stablehlo.dot_general"(%11, %12) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> (tensor<6x20x20xf32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x20x20xf32>) -> (tensor<1x6x20x20xf32>)
    %15 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x6x20x20xf32>)
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<1x6x20x20xf32>, tensor<1x6x20x20xf32>) -> (tensor<1x6x20x20xf32>)
    %18 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %19 = "stablehlo.reduce"(%17, %18) <{dimensions = array<i64: 3>}> ({
    ^bb0(%20: tensor<f32>, %21: tensor<f32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<1x6x20x20xf32>, tensor<f32>) -> (tensor<1x6x20xf32>)
    %23 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x6x20xf32>)
    %25 = "stablehlo.maximum"(%24, %19) : (tensor<1x6x20xf32>, tensor<1x6x20xf32>) -> (tensor<1x6x20xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x6x20xf32>) -> (tensor<1x6x20x1xf32>)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x20x1xf32>) -> (tensor<1x6x20x20xf32>)
    %28 = "stablehlo.subtract"(%17, %27) : (tensor<1x6x20x20xf32>, tensor<1x6x20x20xf32>) -> (tensor<1x6x20x20xf32>)
    %29 = "stablehlo.exponential"(%28) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x6x20x20xf32>) -> (tensor<1x6x20x20xf32>)
    %30 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %31 = "stablehlo.reduce"(%29, %30) <{dimensions = array<i64: 3>}> ({
    ^bb0(%32: tensor<f32>, %33: tensor<f32>):
      %34 = "stablehlo.add"(%32, %33) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<1x6x20x20xf32>, tensor<f32>) -> (tensor<1x6x20xf32>)
    %35 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x6x20xf32>) -> (tensor<1x6x20x1xf32>)
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x20x1xf32>) -> (tensor<1x6x20x20xf32>)
    %37 = "stablehlo.divide"(%29, %36) : (tensor<1x6x20x20xf32>, tensor<1x6x20x20xf32>) -> (tensor<1x6x20x20xf32>)
    %38 = "stablehlo.reshape"(%37) : (tensor<1x6x20x20xf32>) -> (tensor<6x20x20xf32>)
    %39 = "stablehlo.reshape"(%9) : (tensor<1x6x20x16xf32>) -> (tensor<6x20x16xf32>)
    %40 = "stablehlo.dot_general"(%38, %39) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> (tensor<6x20x16xf32>)
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x20x16xf32>) -> (tensor<1x6x20x16xf32>)
    %42 = "stablehlo.transpose"(%41) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x6x20x16xf32>) -> (tensor<1x20x6x16xf32>)
    "stablehlo.return"(%42) : (tensor<1x20x6x16xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x20x6x16xf32>, %1: tensor<1x20x2x16xf32>, %2: tensor<1x20x2x16xf32>) -> (tensor<1x20x6x16xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<1x20x2x16xf32>) -> (tensor<1x20x2x3x16xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<1x20x2x16xf32>) -> (tensor<1x20x2x3x16xf32>)
    %7 = "stablehlo.transpose"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x20x6x16xf32>) -> (tensor<1x6x20x16xf32>)
    %45 = "stablehlo.transpose"(%3) <{permutation = array<i64: 0, 2, 3, 1, 4>}> : (tensor<1x20x2x3x16xf32>) -> (tensor<1x2x3x20x16xf32>)
    %46 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 2, 3, 1, 4>}> : (tensor<1x20x2x3x16xf32>) -> (tensor<1x2x3x20x16xf32>)
    %47 = "stablehlo.transpose"(%45) <{permutation = array<i64: 0, 1, 2, 4, 3>}> : (tensor<1x2x3x20x16xf32>) -> (tensor<1x2x3x16x20xf32>)
    %48 = "stablehlo.reshape"(%7) : (tensor<1x6x20x16xf32>) -> (tensor<1x2x3x20x16xf32>)
    %49 = "stablehlo.dot_general"(%48, %47) <{lhs_batching_dimensions = array<i64: 0, 1, 2>, lhs_contracting_dimensions = array<i64: 4>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1, 2>, rhs_contracting_dimensions = array<i64: 3>}> : (tensor<1x2x3x20x16xf32>, tensor<1x2x3x16x20xf32>) -> (tensor<1x2x3x20x20xf32>)
    %15 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %50 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x2x3x20x20xf32>)
    %51 = "stablehlo.multiply"(%49, %50) : (tensor<1x2x3x20x20xf32>, tensor<1x2x3x20x20xf32>) -> (tensor<1x2x3x20x20xf32>)
    %18 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %52 = "stablehlo.reduce"(%51, %18) <{dimensions = array<i64: 4>}> ({
    ^bb0(%20: tensor<f32>, %21: tensor<f32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x20x20xf32>, tensor<f32>) -> (tensor<1x2x3x20xf32>)
    %23 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %53 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x2x3x20xf32>)
    %54 = "stablehlo.maximum"(%53, %52) : (tensor<1x2x3x20xf32>, tensor<1x2x3x20xf32>) -> (tensor<1x2x3x20xf32>)
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x20xf32>) -> (tensor<1x2x3x20x1xf32>)
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x20x1xf32>) -> (tensor<1x2x3x20x20xf32>)
    %57 = "stablehlo.subtract"(%51, %56) : (tensor<1x2x3x20x20xf32>, tensor<1x2x3x20x20xf32>) -> (tensor<1x2x3x20x20xf32>)
    %58 = "stablehlo.exponential"(%57) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x2x3x20x20xf32>) -> (tensor<1x2x3x20x20xf32>)
    %30 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %59 = "stablehlo.reduce"(%58, %30) <{dimensions = array<i64: 4>}> ({
    ^bb0(%32: tensor<f32>, %33: tensor<f32>):
      %34 = "stablehlo.add"(%32, %33) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<1x2x3x20x20xf32>, tensor<f32>) -> (tensor<1x2x3x20xf32>)
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x3x20xf32>) -> (tensor<1x2x3x20x1xf32>)
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x3x20x1xf32>) -> (tensor<1x2x3x20x20xf32>)
    %62 = "stablehlo.divide"(%58, %61) : (tensor<1x2x3x20x20xf32>, tensor<1x2x3x20x20xf32>) -> (tensor<1x2x3x20x20xf32>)
    %63 = "stablehlo.dot_general"(%62, %46) <{lhs_batching_dimensions = array<i64: 0, 1, 2>, lhs_contracting_dimensions = array<i64: 4>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1, 2>, rhs_contracting_dimensions = array<i64: 3>}> : (tensor<1x2x3x20x20xf32>, tensor<1x2x3x20x16xf32>) -> (tensor<1x2x3x20x16xf32>)
    %64 = "stablehlo.transpose"(%63) <{permutation = array<i64: 0, 3, 1, 2, 4>}> : (tensor<1x2x3x20x16xf32>) -> (tensor<1x20x2x3x16xf32>)
    %42 = "stablehlo.reshape"(%64) : (tensor<1x20x2x3x16xf32>) -> (tensor<1x20x6x16xf32>)
    "stablehlo.return"(%42) : (tensor<1x20x6x16xf32>) -> ()
  }
}
