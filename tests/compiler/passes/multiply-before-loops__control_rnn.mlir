// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<6x4x8xf32>, %1: tensor<16x16xf32>, %2: tensor<8x16xf32>) -> (tensor<6x4x16xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4x16xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6x4x16xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %8, %9, %10, %11, %12, %13 = "stablehlo.while"(%0, %1, %2, %7, %4, %6) ({
    ^bb0(%14: tensor<6x4x8xf32>, %15: tensor<16x16xf32>, %16: tensor<8x16xf32>, %17: tensor<i32>, %18: tensor<4x16xf32>, %19: tensor<6x4x16xf32>):
      %20 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.compare"(%17, %20) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%22: tensor<6x4x8xf32>, %23: tensor<16x16xf32>, %24: tensor<8x16xf32>, %25: tensor<i32>, %26: tensor<4x16xf32>, %27: tensor<6x4x16xf32>):
      %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %36 = "stablehlo.dynamic_slice"(%22, %25, %34, %35) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x8xf32>)
      %37 = "stablehlo.reshape"(%36) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %38 = "stablehlo.dot_general"(%26, %23) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x16xf32>, tensor<16x16xf32>) -> (tensor<4x16xf32>)
      %39 = "stablehlo.dot_general"(%37, %24) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x16xf32>) -> (tensor<4x16xf32>)
      %40 = "stablehlo.add"(%38, %39) : (tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>)
      %41 = "stablehlo.tanh"(%40) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4x16xf32>) -> (tensor<4x16xf32>)
      %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x16xf32>) -> (tensor<1x4x16xf32>)
      %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %45 = "stablehlo.dynamic_update_slice"(%27, %42, %25, %43, %44) : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<6x4x16xf32>)
      %32 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %33 = "stablehlo.add"(%25, %32) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%22, %23, %24, %33, %41, %45) : (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>) -> ()
    }) : (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>) -> (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>)
    "stablehlo.return"(%13) : (tensor<6x4x16xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<6x4x8xf32>, %1: tensor<i32>) -> (tensor<4x8xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x8xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    "stablehlo.return"(%5) : (tensor<4x8xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<16x16xf32>, %1: tensor<8x16xf32>, %2: tensor<4x16xf32>, %3: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
    %4 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x16xf32>, tensor<16x16xf32>) -> (tensor<4x16xf32>)
    %5 = "stablehlo.dot_general"(%3, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x16xf32>) -> (tensor<4x16xf32>)
    %6 = "stablehlo.add"(%4, %5) : (tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>)
    %7 = "stablehlo.tanh"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4x16xf32>) -> (tensor<4x16xf32>)
    "stablehlo.return"(%7, %7) : (tensor<4x16xf32>, tensor<4x16xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<6x4x16xf32>, %1: tensor<4x16xf32>, %2: tensor<i32>) -> (tensor<6x4x16xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x16xf32>) -> (tensor<1x4x16xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<6x4x16xf32>)
    "stablehlo.return"(%6) : (tensor<6x4x16xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<6x4x8xf32>, %1: tensor<16x16xf32>, %2: tensor<8x16xf32>) -> (tensor<6x4x16xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4x16xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<6x4x16xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %42 = "stablehlo.dot_general"(%0, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<6x4x8xf32>, tensor<8x16xf32>) -> (tensor<6x4x16xf32>)
    %8, %9, %10, %11, %12, %13, %43 = "stablehlo.while"(%0, %1, %2, %7, %4, %6, %42) ({
    ^bb0(%14: tensor<6x4x8xf32>, %15: tensor<16x16xf32>, %16: tensor<8x16xf32>, %17: tensor<i32>, %18: tensor<4x16xf32>, %19: tensor<6x4x16xf32>, %44: tensor<6x4x16xf32>):
      %20 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.compare"(%17, %20) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%22: tensor<6x4x8xf32>, %23: tensor<16x16xf32>, %24: tensor<8x16xf32>, %25: tensor<i32>, %26: tensor<4x16xf32>, %27: tensor<6x4x16xf32>, %45: tensor<6x4x16xf32>):
      %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %30 = "stablehlo.dynamic_slice"(%22, %25, %28, %29) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x8xf32>)
      %31 = "stablehlo.reshape"(%30) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
      %32 = "stablehlo.dot_general"(%26, %23) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x16xf32>, tensor<16x16xf32>) -> (tensor<4x16xf32>)
      %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %50 = "stablehlo.dynamic_slice"(%45, %25, %47, %49) <{slice_sizes = array<i64: 1, 4, 16>}> : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x16xf32>)
      %33 = "stablehlo.reshape"(%50) : (tensor<1x4x16xf32>) -> (tensor<4x16xf32>)
      %34 = "stablehlo.add"(%32, %33) : (tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>)
      %35 = "stablehlo.tanh"(%34) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4x16xf32>) -> (tensor<4x16xf32>)
      %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x16xf32>) -> (tensor<1x4x16xf32>)
      %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %39 = "stablehlo.dynamic_update_slice"(%27, %36, %25, %37, %38) : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<6x4x16xf32>)
      %40 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %41 = "stablehlo.add"(%25, %40) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%22, %23, %24, %41, %35, %39, %45) : (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>) -> ()
    }) : (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>) -> (tensor<6x4x8xf32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<6x4x16xf32>)
    "stablehlo.return"(%13) : (tensor<6x4x16xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<6x4x8xf32>, %1: tensor<i32>) -> (tensor<4x8xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<6x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x8xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x4x8xf32>) -> (tensor<4x8xf32>)
    "stablehlo.return"(%5) : (tensor<4x8xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<16x16xf32>, %1: tensor<8x16xf32>, %2: tensor<4x16xf32>, %3: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
    %4 = "stablehlo.dot_general"(%2, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x16xf32>, tensor<16x16xf32>) -> (tensor<4x16xf32>)
    %5 = "stablehlo.dot_general"(%3, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<4x8xf32>, tensor<8x16xf32>) -> (tensor<4x16xf32>)
    %6 = "stablehlo.add"(%4, %5) : (tensor<4x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>)
    %7 = "stablehlo.tanh"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<4x16xf32>) -> (tensor<4x16xf32>)
    "stablehlo.return"(%7, %7) : (tensor<4x16xf32>, tensor<4x16xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<6x4x16xf32>, %1: tensor<4x16xf32>, %2: tensor<i32>) -> (tensor<6x4x16xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x16xf32>) -> (tensor<1x4x16xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<6x4x16xf32>)
    "stablehlo.return"(%6) : (tensor<6x4x16xf32>) -> ()
  }
}
