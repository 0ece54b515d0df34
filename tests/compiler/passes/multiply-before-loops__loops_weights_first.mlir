// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<5x20x3xf32>, %1: tensor<24x20xf32>, %2: tensor<24x24xf32>) -> (tensor<5x24x3xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x3xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5x24x3xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %8, %9, %10, %11, %12, %13 = "stablehlo.while"(%0, %1, %2, %7, %4, %6) ({
    ^bb0(%14: tensor<5x20x3xf32>, %15: tensor<24x20xf32>, %16: tensor<24x24xf32>, %17: tensor<i32>, %18: tensor<24x3xf32>, %19: tensor<5x24x3xf32>):
      %20 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.compare"(%17, %20) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%22: tensor<5x20x3xf32>, %23: tensor<24x20xf32>, %24: tensor<24x24xf32>, %25: tensor<i32>, %26: tensor<24x3xf32>, %27: tensor<5x24x3xf32>):
      %28 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %29 = "stablehlo.subtract"(%28, %25) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %30 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %31 = "stablehlo.subtract"(%29, %30) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %40 = "stablehlo.dynamic_slice"(%22, %31, %38, %39) <{slice_sizes = array<i64: 1, 20, 3>}> : (tensor<5x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x20x3xf32>)
      %41 = "stablehlo.reshape"(%40) : (tensor<1x20x3xf32>) -> (tensor<20x3xf32>)
      %42 = "stablehlo.dot_general"(%23, %41) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x20xf32>, tensor<20x3xf32>) -> (tensor<24x3xf32>)
      %43 = "stablehlo.dot_general"(%24, %26) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x24xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %44 = "stablehlo.add"(%42, %43) : (tensor<24x3xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %45 = "stablehlo.tanh"(%44) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x3xf32>) -> (tensor<1x24x3xf32>)
      %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %49 = "stablehlo.dynamic_update_slice"(%27, %46, %31, %47, %48) : (tensor<5x24x3xf32>, tensor<1x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<5x24x3xf32>)
      %36 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %37 = "stablehlo.add"(%25, %36) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%22, %23, %24, %37, %45, %49) : (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>) -> ()
    }) : (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>) -> (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>)
    "stablehlo.return"(%13) : (tensor<5x24x3xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<5x20x3xf32>, %1: tensor<i32>) -> (tensor<20x3xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 20, 3>}> : (tensor<5x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x20x3xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x20x3xf32>) -> (tensor<20x3xf32>)
    "stablehlo.return"(%5) : (tensor<20x3xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<24x20xf32>, %1: tensor<24x24xf32>, %2: tensor<24x3xf32>, %3: tensor<20x3xf32>) -> (tensor<24x3xf32>, tensor<24x3xf32>) {
    %4 = "stablehlo.dot_general"(%0, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x20xf32>, tensor<20x3xf32>) -> (tensor<24x3xf32>)
    %5 = "stablehlo.dot_general"(%1, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x24xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
    %6 = "stablehlo.add"(%4, %5) : (tensor<24x3xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
    %7 = "stablehlo.tanh"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<24x3xf32>) -> (tensor<24x3xf32>)
    "stablehlo.return"(%7, %7) : (tensor<24x3xf32>, tensor<24x3xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<5x24x3xf32>, %1: tensor<24x3xf32>, %2: tensor<i32>) -> (tensor<5x24x3xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x3xf32>) -> (tensor<1x24x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<5x24x3xf32>, tensor<1x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<5x24x3xf32>)
    "stablehlo.return"(%6) : (tensor<5x24x3xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<5x20x3xf32>, %1: tensor<24x20xf32>, %2: tensor<24x24xf32>) -> (tensor<5x24x3xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<24x3xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<5x24x3xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %46 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<5x20x3xf32>, tensor<24x20xf32>) -> (tensor<5x3x24xf32>)
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 2, 1>}> : (tensor<5x3x24xf32>) -> (tensor<5x24x3xf32>)
    %8, %9, %10, %11, %12, %13, %48 = "stablehlo.while"(%0, %1, %2, %7, %4, %6, %47) ({
    ^bb0(%14: tensor<5x20x3xf32>, %15: tensor<24x20xf32>, %16: tensor<24x24xf32>, %17: tensor<i32>, %18: tensor<24x3xf32>, %19: tensor<5x24x3xf32>, %49: tensor<5x24x3xf32>):
      %20 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.compare"(%17, %20) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%22: tensor<5x20x3xf32>, %23: tensor<24x20xf32>, %24: tensor<24x24xf32>, %25: tensor<i32>, %26: tensor<24x3xf32>, %27: tensor<5x24x3xf32>, %50: tensor<5x24x3xf32>):
      %28 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> (tensor<i32>)
      %29 = "stablehlo.subtract"(%28, %25) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %30 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %31 = "stablehlo.subtract"(%29, %30) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %34 = "stablehlo.dynamic_slice"(%22, %31, %32, %33) <{slice_sizes = array<i64: 1, 20, 3>}> : (tensor<5x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x20x3xf32>)
      %35 = "stablehlo.reshape"(%34) : (tensor<1x20x3xf32>) -> (tensor<20x3xf32>)
      %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %55 = "stablehlo.dynamic_slice"(%50, %31, %52, %54) <{slice_sizes = array<i64: 1, 24, 3>}> : (tensor<5x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x24x3xf32>)
      %36 = "stablehlo.reshape"(%55) : (tensor<1x24x3xf32>) -> (tensor<24x3xf32>)
      %37 = "stablehlo.dot_general"(%24, %26) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x24xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %38 = "stablehlo.add"(%36, %37) : (tensor<24x3xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %39 = "stablehlo.tanh"(%38) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<24x3xf32>) -> (tensor<24x3xf32>)
      %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x3xf32>) -> (tensor<1x24x3xf32>)
      %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %43 = "stablehlo.dynamic_update_slice"(%27, %40, %31, %41, %42) : (tensor<5x24x3xf32>, tensor<1x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<5x24x3xf32>)
      %44 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %45 = "stablehlo.add"(%25, %44) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%22, %23, %24, %45, %39, %43, %50) : (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>, tensor<5x24x3xf32>) -> ()
    }) : (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>, tensor<5x24x3xf32>) -> (tensor<5x20x3xf32>, tensor<24x20xf32>, tensor<24x24xf32>, tensor<i32>, tensor<24x3xf32>, tensor<5x24x3xf32>, tensor<5x24x3xf32>)
    "stablehlo.return"(%13) : (tensor<5x24x3xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<5x20x3xf32>, %1: tensor<i32>) -> (tensor<20x3xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 20, 3>}> : (tensor<5x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x20x3xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x20x3xf32>) -> (tensor<20x3xf32>)
    "stablehlo.return"(%5) : (tensor<20x3xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<24x20xf32>, %1: tensor<24x24xf32>, %2: tensor<24x3xf32>, %3: tensor<20x3xf32>) -> (tensor<24x3xf32>, tensor<24x3xf32>) {
    %4 = "stablehlo.dot_general"(%0, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x20xf32>, tensor<20x3xf32>) -> (tensor<24x3xf32>)
    %5 = "stablehlo.dot_general"(%1, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<24x24xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
    %6 = "stablehlo.add"(%4, %5) : (tensor<24x3xf32>, tensor<24x3xf32>) -> (tensor<24x3xf32>)
    %7 = "stablehlo.tanh"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<24x3xf32>) -> (tensor<24x3xf32>)
    "stablehlo.return"(%7, %7) : (tensor<24x3xf32>, tensor<24x3xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<5x24x3xf32>, %1: tensor<24x3xf32>, %2: tensor<i32>) -> (tensor<5x24x3xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x3xf32>) -> (tensor<1x24x3xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<5x24x3xf32>, tensor<1x24x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<5x24x3xf32>)
    "stablehlo.return"(%6) : (tensor<5x24x3xf32>) -> ()
  }
}
