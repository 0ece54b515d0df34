// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 200
module @module {
  func.func public @main(%0: tensor<40x30xf32>, %1: tensor<30x200xf32>, %2: tensor<40xi32>) -> (tensor<f32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<40x30xf32>, tensor<30x200xf32>) -> (tensor<40x200xf32>)
    %20 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.reduce"(%3, %20) <{dimensions = array<i64: 1>}> ({
    ^bb0(%21: tensor<f32>, %22: tensor<f32>):
      %23 = "stablehlo.maximum"(%21, %22) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %27 = "stablehlo.maximum"(%26, %24) : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %30 = "stablehlo.subtract"(%3, %29) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %31 = "stablehlo.exponential"(%30) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %32 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %36 = "stablehlo.reduce"(%31, %32) <{dimensions = array<i64: 1>}> ({
    ^bb0(%33: tensor<f32>, %34: tensor<f32>):
      %35 = "stablehlo.add"(%33, %34) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %38 = "stablehlo.log"(%37) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %40 = "stablehlo.subtract"(%30, %39) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %41 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %47 = "stablehlo.reshape"(%41) : (tensor<40x1xi32>) -> (tensor<40x1xi32>)
    %48 = "stablehlo.reshape"(%47) : (tensor<40x1xi32>) -> (tensor<40x1x1xi32>)
    %49 = "stablehlo.gather"(%40, %48) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<40x200xf32>, tensor<40x1x1xi32>) -> (tensor<40x1xf32>)
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %52 = "stablehlo.compare"(%47, %51) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %53 = "stablehlo.constant"() <{value = dense<200> : tensor<i32>}> : () -> (tensor<i32>)
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %55 = "stablehlo.compare"(%47, %54) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %56 = "stablehlo.and"(%52, %55) : (tensor<40x1xi1>, tensor<40x1xi1>) -> (tensor<40x1xi1>)
    %57 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x1xf32>)
    %59 = "stablehlo.select"(%56, %49, %58) : (tensor<40x1xi1>, tensor<40x1xf32>, tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %60 = "stablehlo.convert"(%59) : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %8 = "stablehlo.reshape"(%60) : (tensor<40x1xf32>) -> (tensor<40xf32>)
    %13 = "stablehlo.reduce"(%8, %32) <{dimensions = array<i64: 0>}> ({
    ^bb0(%14: tensor<f32>, %15: tensor<f32>):
      %16 = "stablehlo.add"(%14, %15) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<40xf32>, tensor<f32>) -> (tensor<f32>)
    %17 = "stablehlo.constant"() <{value = dense<4.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %18 = "stablehlo.divide"(%13, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %19 = "stablehlo.negate"(%18) : (tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%19) : (tensor<f32>) -> ()
  }
  func.func private @log_softmax(%0: tensor<40x200xf32>) -> (tensor<40x200xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.maximum"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %8 = "stablehlo.maximum"(%7, %2) : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %11 = "stablehlo.subtract"(%0, %10) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %12 = "stablehlo.exponential"(%11) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %13 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 1>}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %17 = "stablehlo.add"(%15, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %19 = "stablehlo.log"(%18) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %21 = "stablehlo.subtract"(%11, %20) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    "stablehlo.return"(%21) : (tensor<40x200xf32>) -> ()
  }
  func.func private @_one_hot(%0: tensor<40xi32>) -> (tensor<40x200xf32>) {
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %2 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<1x200xi32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xi32>) -> (tensor<40x200xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xi32>) -> (tensor<40x200xi32>)
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x200xi32>, tensor<40x200xi32>) -> (tensor<40x200xi1>)
    %6 = "stablehlo.convert"(%5) : (tensor<40x200xi1>) -> (tensor<40x200xf32>)
    "stablehlo.return"(%6) : (tensor<40x200xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x30xf32>, %1: tensor<30x200xf32>, %2: tensor<40xi32>) -> (tensor<f32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<40x30xf32>, tensor<30x200xf32>) -> (tensor<40x200xf32>)
    %4 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 1>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.maximum"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %10 = "stablehlo.maximum"(%9, %5) : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %13 = "stablehlo.subtract"(%3, %12) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %14 = "stablehlo.exponential"(%13) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %15 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %21 = "stablehlo.log"(%20) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %23 = "stablehlo.subtract"(%13, %22) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %25 = "stablehlo.reshape"(%24) : (tensor<40x1xi32>) -> (tensor<40x1xi32>)
    %26 = "stablehlo.reshape"(%25) : (tensor<40x1xi32>) -> (tensor<40x1x1xi32>)
    %47 = "stablehlo.gather"(%3, %26) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<40x200xf32>, tensor<40x1x1xi32>) -> (tensor<40x1xf32>)
    %48 = "stablehlo.reshape"(%11) : (tensor<40x1xf32>) -> (tensor<40xf32>)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %50 = "stablehlo.subtract"(%47, %49) : (tensor<40x1xf32>, tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %51 = "stablehlo.reshape"(%21) : (tensor<40x1xf32>) -> (tensor<40xf32>)
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %53 = "stablehlo.subtract"(%50, %52) : (tensor<40x1xf32>, tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %30 = "stablehlo.compare"(%25, %29) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %31 = "stablehlo.constant"() <{value = dense<200> : tensor<i32>}> : () -> (tensor<i32>)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %33 = "stablehlo.compare"(%25, %32) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %34 = "stablehlo.and"(%30, %33) : (tensor<40x1xi1>, tensor<40x1xi1>) -> (tensor<40x1xi1>)
    %35 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x1xf32>)
    %37 = "stablehlo.select"(%34, %53, %36) : (tensor<40x1xi1>, tensor<40x1xf32>, tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %38 = "stablehlo.convert"(%37) : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %39 = "stablehlo.reshape"(%38) : (tensor<40x1xf32>) -> (tensor<40xf32>)
    %40 = "stablehlo.reduce"(%39, %15) <{dimensions = array<i64: 0>}> ({
    ^bb0(%41: tensor<f32>, %42: tensor<f32>):
      %43 = "stablehlo.add"(%41, %42) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%43) : (tensor<f32>) -> ()
    }) : (tensor<40xf32>, tensor<f32>) -> (tensor<f32>)
    %44 = "stablehlo.constant"() <{value = dense<4.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %45 = "stablehlo.divide"(%40, %44) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %46 = "stablehlo.negate"(%45) : (tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%46) : (tensor<f32>) -> ()
  }
  func.func private @log_softmax(%0: tensor<40x200xf32>) -> (tensor<40x200xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.maximum"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40xf32>)
    %7 = "stablehlo.maximum"(%6, %2) : (tensor<40xf32>, tensor<40xf32>) -> (tensor<40xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %10 = "stablehlo.subtract"(%0, %9) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %11 = "stablehlo.exponential"(%10) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %12 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.reduce"(%11, %12) <{dimensions = array<i64: 1>}> ({
    ^bb0(%14: tensor<f32>, %15: tensor<f32>):
      %16 = "stablehlo.add"(%14, %15) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
    %17 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xf32>) -> (tensor<40x1xf32>)
    %18 = "stablehlo.log"(%17) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xf32>) -> (tensor<40x200xf32>)
    %20 = "stablehlo.subtract"(%10, %19) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    "stablehlo.return"(%20) : (tensor<40x200xf32>) -> ()
  }
  func.func private @_one_hot(%0: tensor<40xi32>) -> (tensor<40x200xf32>) {
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<40xi32>) -> (tensor<40x1xi32>)
    %2 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<1x200xi32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xi32>) -> (tensor<40x200xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xi32>) -> (tensor<40x200xi32>)
    %5 = "stablehlo.compare"(%3, %4) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x200xi32>, tensor<40x200xi32>) -> (tensor<40x200xi1>)
    %6 = "stablehlo.convert"(%5) : (tensor<40x200xi1>) -> (tensor<40x200xf32>)
    "stablehlo.return"(%6) : (tensor<40x200xf32>) -> ()
  }
}
