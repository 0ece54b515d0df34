// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %40 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %41 = "stablehlo.tanh"(%40) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %46 = "stablehlo.dot_general"(%41, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %47 = "stablehlo.tanh"(%46) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %52 = "stablehlo.dot_general"(%47, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %53 = "stablehlo.tanh"(%52) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %58 = "stablehlo.dot_general"(%53, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %59 = "stablehlo.tanh"(%58) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %64 = "stablehlo.dot_general"(%59, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %65 = "stablehlo.tanh"(%64) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %7 = "stablehlo.reshape"(%65) : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%7) : (tensor<20x30xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<30x30xf32>, %1: tensor<i32>, %2: tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %6 = "stablehlo.tanh"(%5) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%4, %6) : (tensor<i32>, tensor<20x30xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %4 = "stablehlo.call"(%2, %1) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3>, locations = array<i64: 2, 3>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %6 = "stablehlo.call"(%4, %1) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3>, locations = array<i64: 4, 5>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %8 = "stablehlo.call"(%6, %1) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3>, locations = array<i64: 6, 7>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %10 = "stablehlo.call"(%8, %1) <{callee = @trainyard.layer_0, compiled = array<i64: 2, 3>, locations = array<i64: 8, 9>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %11 = "stablehlo.tanh"(%10) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %12 = "stablehlo.reshape"(%11) : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%12) : (tensor<20x30xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<30x30xf32>, %1: tensor<i32>, %2: tensor<20x30xf32>) -> (tensor<i32>, tensor<20x30xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.add"(%1, %3) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    %6 = "stablehlo.tanh"(%5) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%4, %6) : (tensor<i32>, tensor<20x30xf32>) -> ()
  }
  func.func public @trainyard.layer_0(%0: tensor<20x30xf32>, %2: tensor<30x30xf32>) -> (tensor<20x30xf32>) {
    %1 = "stablehlo.tanh"(%0) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x30xf32>) -> (tensor<20x30xf32>)
    %3 = "stablehlo.dot_general"(%1, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x30xf32>) -> (tensor<20x30xf32>)
    "stablehlo.return"(%3) : (tensor<20x30xf32>) -> ()
  }
}
