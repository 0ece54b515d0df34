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
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %28 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 1, 16, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %29 = "stablehlo.reshape"(%28) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %30 = "stablehlo.dot_general"(%0, %29) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %31 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %33 = "stablehlo.maximum"(%30, %32) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %34 = "stablehlo.add"(%33, %0) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %35 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %36 = "stablehlo.add"(%25, %35) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %37 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %40 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 2, 16, 16>, start_indices = array<i64: 1, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %41 = "stablehlo.reshape"(%40) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %42 = "stablehlo.dot_general"(%34, %41) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %43 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %45 = "stablehlo.maximum"(%42, %44) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %46 = "stablehlo.add"(%45, %34) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %47 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %48 = "stablehlo.add"(%37, %47) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %49 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> (tensor<i32>)
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %52 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 3, 16, 16>, start_indices = array<i64: 2, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %53 = "stablehlo.reshape"(%52) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %54 = "stablehlo.dot_general"(%46, %53) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %55 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %57 = "stablehlo.maximum"(%54, %56) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %58 = "stablehlo.add"(%57, %46) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %59 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %60 = "stablehlo.add"(%49, %59) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %61 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %62 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %64 = "stablehlo.slice"(%1) <{limit_indices = array<i64: 4, 16, 16>, start_indices = array<i64: 3, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<4x16x16xf32>) -> (tensor<1x16x16xf32>)
    %65 = "stablehlo.reshape"(%64) : (tensor<1x16x16xf32>) -> (tensor<16x16xf32>)
    %66 = "stablehlo.dot_general"(%58, %65) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x16xf32>, tensor<16x16xf32>) -> (tensor<20x16xf32>)
    %67 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x16xf32>)
    %69 = "stablehlo.maximum"(%66, %68) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %70 = "stablehlo.add"(%69, %58) : (tensor<20x16xf32>, tensor<20x16xf32>) -> (tensor<20x16xf32>)
    %71 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %72 = "stablehlo.add"(%61, %71) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    %73 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.reshape"(%1) : (tensor<4x16x16xf32>) -> (tensor<4x16x16xf32>)
    %4 = "stablehlo.reshape"(%73) : (tensor<i32>) -> (tensor<i32>)
    %5 = "stablehlo.reshape"(%70) : (tensor<20x16xf32>) -> (tensor<20x16xf32>)
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
