// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.001953125 257
// in: draw 3 -1 0.001953125 257
// in: draw 4 -1 0.001953125 257
// in: draw 5 -1 0.001953125 257
// in: draw 6 -1 0.001953125 257
// in: draw 7 -1 0.001953125 257
module @module {
  func.func public @main(%0: tensor<24x16xf32>, %1: tensor<16x16xf32>, %2: tensor<16x16xf32>, %3: tensor<16x16xf32>, %4: tensor<16x16xf32>, %5: tensor<16x16xf32>, %6: tensor<16x16xf32>) -> (tensor<24x16xf32>) {
    %7 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %25 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x16xf32>)
    %27 = "stablehlo.maximum"(%7, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %9 = "stablehlo.add"(%27, %0) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %10 = "stablehlo.dot_general"(%9, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %30 = "stablehlo.maximum"(%10, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %12 = "stablehlo.add"(%30, %9) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %13 = "stablehlo.dot_general"(%12, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %33 = "stablehlo.maximum"(%13, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %15 = "stablehlo.add"(%33, %12) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %16 = "stablehlo.dot_general"(%15, %4) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %36 = "stablehlo.maximum"(%16, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %18 = "stablehlo.add"(%36, %15) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %19 = "stablehlo.dot_general"(%18, %5) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %39 = "stablehlo.maximum"(%19, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %21 = "stablehlo.add"(%39, %18) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %22 = "stablehlo.dot_general"(%21, %6) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %42 = "stablehlo.maximum"(%22, %26) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %24 = "stablehlo.add"(%42, %21) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    "stablehlo.return"(%24) : (tensor<24x16xf32>) -> ()
  }
  func.func private @relu(%0: tensor<24x16xf32>) -> (tensor<24x16xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x16xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    "stablehlo.return"(%3) : (tensor<24x16xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<24x16xf32>, %1: tensor<16x16xf32>, %2: tensor<16x16xf32>, %3: tensor<16x16xf32>, %4: tensor<16x16xf32>, %5: tensor<16x16xf32>, %6: tensor<16x16xf32>) -> (tensor<24x16xf32>) {
    %7 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %8 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x16xf32>)
    %10 = "stablehlo.maximum"(%7, %9) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %11 = "stablehlo.add"(%10, %0) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %14 = "stablehlo.call"(%11, %2) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3, 6, 7, 8>, locations = array<i64: 2, 3, 6, 7, 8>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %17 = "stablehlo.call"(%14, %3) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3, 6, 7, 8>, locations = array<i64: 2, 3, 9, 10, 11>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %20 = "stablehlo.call"(%17, %4) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3, 6, 7, 8>, locations = array<i64: 2, 3, 12, 13, 14>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %23 = "stablehlo.call"(%20, %5) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3, 6, 7, 8>, locations = array<i64: 2, 3, 15, 16, 17>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %26 = "stablehlo.call"(%23, %6) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3, 6, 7, 8>, locations = array<i64: 2, 3, 18, 19, 20>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    "stablehlo.return"(%26) : (tensor<24x16xf32>) -> ()
  }
  func.func private @relu(%0: tensor<24x16xf32>) -> (tensor<24x16xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x16xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    "stablehlo.return"(%3) : (tensor<24x16xf32>) -> ()
  }
  func.func public @trainyard.layer_0(%0: tensor<24x16xf32>, %1: tensor<16x16xf32>) -> (tensor<24x16xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x16xf32>)
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x16xf32>, tensor<16x16xf32>) -> (tensor<24x16xf32>)
    %5 = "stablehlo.maximum"(%2, %4) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    %6 = "stablehlo.add"(%5, %0) : (tensor<24x16xf32>, tensor<24x16xf32>) -> (tensor<24x16xf32>)
    "stablehlo.return"(%6) : (tensor<24x16xf32>) -> ()
  }
}
