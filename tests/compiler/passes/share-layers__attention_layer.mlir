// tolerance: 0.0005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<24x32xf32>, %1: tensor<32x32xf32>, %2: tensor<32x32xf32>, %3: tensor<32x32xf32>, %4: tensor<32x32xf32>) -> (tensor<24x32xf32>) {
    %5 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %6 = "stablehlo.reshape"(%5) : (tensor<24x32xf32>) -> (tensor<24x2x16xf32>)
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 0, 2>}> : (tensor<24x2x16xf32>) -> (tensor<2x24x16xf32>)
    %8 = "stablehlo.dot_general"(%0, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %9 = "stablehlo.reshape"(%8) : (tensor<24x32xf32>) -> (tensor<24x2x16xf32>)
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 1, 0, 2>}> : (tensor<24x2x16xf32>) -> (tensor<2x24x16xf32>)
    %11 = "stablehlo.dot_general"(%0, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %12 = "stablehlo.reshape"(%11) : (tensor<24x32xf32>) -> (tensor<24x2x16xf32>)
    %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 1, 0, 2>}> : (tensor<24x2x16xf32>) -> (tensor<2x24x16xf32>)
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<24xi32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<24xi32>) -> (tensor<24x1xi32>)
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<24x1xi32>)
    %18 = "stablehlo.add"(%15, %17) : (tensor<24x1xi32>, tensor<24x1xi32>) -> (tensor<24x1xi32>)
    %20 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> (tensor<1x24xi32>)
    %21 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> (tensor<24x24xi32>)
    %22 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> (tensor<24x24xi32>)
    %23 = "stablehlo.compare"(%21, %22) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> (tensor<24x24xi1>)
    %24 = "stablehlo.dot_general"(%7, %10) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x24xf32>)
    %25 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %27 = "stablehlo.multiply"(%24, %26) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %28 = "stablehlo.constant"() <{value = dense<-1.000000015e+30> : tensor<f32>}> : () -> (tensor<f32>)
    %56 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x24xi1>) -> (tensor<2x24x24xi1>)
    %57 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %58 = "stablehlo.select"(%56, %27, %57) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %30 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %31 = "stablehlo.reduce"(%58, %30) <{dimensions = array<i64: 2>}> ({
    ^bb0(%32: tensor<f32>, %33: tensor<f32>):
      %34 = "stablehlo.maximum"(%32, %33) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> (tensor<2x24xf32>)
    %36 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24xf32>)
    %37 = "stablehlo.maximum"(%36, %31) : (tensor<2x24xf32>, tensor<2x24xf32>) -> (tensor<2x24xf32>)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> (tensor<2x24x1xf32>)
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> (tensor<2x24x24xf32>)
    %40 = "stablehlo.subtract"(%58, %39) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %41 = "stablehlo.exponential"(%40) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %42 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%44: tensor<f32>, %45: tensor<f32>):
      %46 = "stablehlo.add"(%44, %45) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> (tensor<2x24xf32>)
    %47 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> (tensor<2x24x1xf32>)
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> (tensor<2x24x24xf32>)
    %49 = "stablehlo.divide"(%41, %48) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %50 = "stablehlo.dot_general"(%49, %13) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x16xf32>)
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x24x16xf32>) -> (tensor<24x2x16xf32>)
    %52 = "stablehlo.reshape"(%51) : (tensor<24x2x16xf32>) -> (tensor<24x32xf32>)
    %53 = "stablehlo.dot_general"(%52, %4) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %54 = "stablehlo.add"(%0, %53) : (tensor<24x32xf32>, tensor<24x32xf32>) -> (tensor<24x32xf32>)
    "stablehlo.return"(%54) : (tensor<24x32xf32>) -> ()
  }
  func.func private @_where(%0: tensor<24x24xi1>, %1: tensor<2x24x24xf32>, %2: tensor<f32>) -> (tensor<2x24x24xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x24xi1>) -> (tensor<2x24x24xi1>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %6 = "stablehlo.select"(%4, %1, %5) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    "stablehlo.return"(%6) : (tensor<2x24x24xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<24x32xf32>, %1: tensor<32x32xf32>, %2: tensor<32x32xf32>, %3: tensor<32x32xf32>, %4: tensor<32x32xf32>) -> (tensor<24x32xf32>) {
    %7 = "stablehlo.call"(%0, %1) <{callee = @trainyard.layer_0, compiled = array<i64: 1, 2, 3>, locations = array<i64: 1, 2, 3>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<2x24x16xf32>)
    %10 = "stablehlo.call"(%0, %2) <{callee = @trainyard.layer_0, compiled = array<i64: 1, 2, 3>, locations = array<i64: 4, 5, 6>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<2x24x16xf32>)
    %13 = "stablehlo.call"(%0, %3) <{callee = @trainyard.layer_0, compiled = array<i64: 1, 2, 3>, locations = array<i64: 7, 8, 9>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<2x24x16xf32>)
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<24xi32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<24xi32>) -> (tensor<24x1xi32>)
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<24x1xi32>)
    %18 = "stablehlo.add"(%15, %17) : (tensor<24x1xi32>, tensor<24x1xi32>) -> (tensor<24x1xi32>)
    %19 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> (tensor<1x24xi32>)
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<24x1xi32>) -> (tensor<24x24xi32>)
    %21 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> (tensor<24x24xi32>)
    %22 = "stablehlo.compare"(%20, %21) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> (tensor<24x24xi1>)
    %23 = "stablehlo.dot_general"(%7, %10) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x24xf32>)
    %24 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %26 = "stablehlo.multiply"(%23, %25) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %27 = "stablehlo.constant"() <{value = dense<-1.000000015e+30> : tensor<f32>}> : () -> (tensor<f32>)
    %28 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x24xi1>) -> (tensor<2x24x24xi1>)
    %29 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %30 = "stablehlo.select"(%28, %26, %29) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %31 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 2>}> ({
    ^bb0(%33: tensor<f32>, %34: tensor<f32>):
      %35 = "stablehlo.maximum"(%33, %34) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> (tensor<2x24xf32>)
    %36 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24xf32>)
    %37 = "stablehlo.maximum"(%36, %32) : (tensor<2x24xf32>, tensor<2x24xf32>) -> (tensor<2x24xf32>)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> (tensor<2x24x1xf32>)
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> (tensor<2x24x24xf32>)
    %40 = "stablehlo.subtract"(%30, %39) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %41 = "stablehlo.exponential"(%40) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %42 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 2>}> ({
    ^bb0(%44: tensor<f32>, %45: tensor<f32>):
      %46 = "stablehlo.add"(%44, %45) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> (tensor<2x24xf32>)
    %47 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> (tensor<2x24x1xf32>)
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> (tensor<2x24x24xf32>)
    %49 = "stablehlo.divide"(%41, %48) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    %50 = "stablehlo.dot_general"(%49, %13) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x16xf32>)
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x24x16xf32>) -> (tensor<24x2x16xf32>)
    %52 = "stablehlo.reshape"(%51) : (tensor<24x2x16xf32>) -> (tensor<24x32xf32>)
    %53 = "stablehlo.dot_general"(%52, %4) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %54 = "stablehlo.add"(%0, %53) : (tensor<24x32xf32>, tensor<24x32xf32>) -> (tensor<24x32xf32>)
    "stablehlo.return"(%54) : (tensor<24x32xf32>) -> ()
  }
  func.func private @_where(%0: tensor<24x24xi1>, %1: tensor<2x24x24xf32>, %2: tensor<f32>) -> (tensor<2x24x24xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x24xi1>) -> (tensor<2x24x24xi1>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x24xf32>)
    %6 = "stablehlo.select"(%4, %1, %5) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>)
    "stablehlo.return"(%6) : (tensor<2x24x24xf32>) -> ()
  }
  func.func public @trainyard.layer_0(%0: tensor<24x32xf32>, %1: tensor<32x32xf32>) -> (tensor<2x24x16xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x32xf32>, tensor<32x32xf32>) -> (tensor<24x32xf32>)
    %3 = "stablehlo.reshape"(%2) : (tensor<24x32xf32>) -> (tensor<24x2x16xf32>)
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0, 2>}> : (tensor<24x2x16xf32>) -> (tensor<2x24x16xf32>)
    "stablehlo.return"(%4) : (tensor<2x24x16xf32>) -> ()
  }
}
