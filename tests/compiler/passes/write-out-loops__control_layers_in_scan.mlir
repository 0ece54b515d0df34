// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.001953125 257
module @module {
  func.func public @main(%0: tensor<20x16xf32>, %1: tensor<4x16x16xf32>) -> (tensor<20x16xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3, %4, %5 = "stablehlo.while"(%1, %2, %0) ({
    ^bb0(%6: tensor<4x16x16xf32>, %7: tensor<i32>, %8: tensor<20x16xf32>):
      %9 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
      %10 = "stablehlo.compare"(%7, %9) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%11: tensor<4x16x16xf32>, %12: tensor<i32>, %13: tensor<20x16xf32>):
      %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %20 = "stablehlo.dynamic_slice"(%11, %12, %18, %19) <{slice_sizes = array<i64: 1, 16, 16>}> : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x16x16xf32>)
      %21 = "stablehlo.reshape"(%20) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
      %22 = "stablehlo.dot_general"(%13, %21) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
      %23 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
      %25 = "stablehlo.maximum"(%22, %24) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
      %26 = "stablehlo.add"(%25, %13) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
      %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %17 = "stablehlo.add"(%12, %16) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%11, %17, %26) : (tensor<4x16x16xf32>, tensor<i32>, tensor<20x16xf32>) -> ()
    }) : (tensor<4x16x16xf32>, tensor<i32>, tensor<20x16xf32>) -> (tensor<4x16x16xf32>, tensor<i32>, tensor<20x16xf32>)
    "stablehlo.return"(%5) : (tensor<20x16xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<4x16x16xf32>, %1: tensor<i32>) -> (tensor<16x16xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 16, 16>}> : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x16x16xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    "stablehlo.return"(%5) : (tensor<16x16xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<20x16xf32>, %1: tensor<16x16xf32>) -> (tensor<20x16xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %3 = "stablehlo.call"(%2) <{callee = @relu}> : (tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %4 = "stablehlo.add"(%3, %0) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    "stablehlo.return"(%4) : (tensor<20x16xf32>) -> ()
  }
  func.func private @relu(%0: tensor<20x16xf32>) -> (tensor<20x16xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    "stablehlo.return"(%3) : (tensor<20x16xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x16xf32>, %1: tensor<4x16x16xf32>) -> (tensor<20x16xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %27 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 1, 16, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %28 = "stablehlo.reshape"(%27) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %29 = "stablehlo.dot_general"(%0, %28) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %30 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %32 = "stablehlo.maximum"(%29, %31) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %33 = "stablehlo.add"(%32, %0) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %35 = "stablehlo.add"(%2, %34) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %38 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 2, 16, 16>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %39 = "stablehlo.reshape"(%38) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %40 = "stablehlo.dot_general"(%33, %39) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %41 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %43 = "stablehlo.maximum"(%40, %42) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %44 = "stablehlo.add"(%43, %33) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %45 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %46 = "stablehlo.add"(%35, %45) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %49 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 3, 16, 16>, start_indices = array<i64: 2, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %50 = "stablehlo.reshape"(%49) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %51 = "stablehlo.dot_general"(%44, %50) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %52 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %54 = "stablehlo.maximum"(%51, %53) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %55 = "stablehlo.add"(%54, %44) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %56 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %57 = "stablehlo.add"(%46, %56) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %58 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %59 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %60 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 4, 16, 16>, start_indices = array<i64: 3, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %61 = "stablehlo.reshape"(%60) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %62 = "stablehlo.dot_general"(%55, %61) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %63 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %65 = "stablehlo.maximum"(%62, %64) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %66 = "stablehlo.add"(%65, %55) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %67 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %68 = "stablehlo.add"(%57, %67) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %3 = "stablehlo.reshape"(%1) : (tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>)
    %4 = "stablehlo.reshape"(%68) : (tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.reshape"(%66) : (tensor<20x16xf32>) -> (tensor<20x16xf32>)
    "stablehlo.return"(%5) : (tensor<20x16xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<4x16x16xf32>, %1: tensor<i32>) -> (tensor<16x16xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 16, 16>}> : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x16x16xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    "stablehlo.return"(%5) : (tensor<16x16xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<20x16xf32>, %1: tensor<16x16xf32>) -> (tensor<20x16xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %3 = "stablehlo.call"(%2) <{callee = @relu}> : (tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %4 = "stablehlo.add"(%3, %0) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    "stablehlo.return"(%4) : (tensor<20x16xf32>) -> ()
  }
  func.func private @relu(%0: tensor<20x16xf32>) -> (tensor<20x16xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    "stablehlo.return"(%3) : (tensor<20x16xf32>) -> ()
  }
}
