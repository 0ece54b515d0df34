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
    %42 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<1x200xi32>)
    %43 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<40x1xi32>) -> (tensor<40x200xi32>)
    %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xi32>) -> (tensor<40x200xi32>)
    %45 = "stablehlo.compare"(%43, %44) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<40x200xi32>, tensor<40x200xi32>) -> (tensor<40x200xi1>)
    %46 = "stablehlo.convert"(%45) : (tensor<40x200xi1>) -> (tensor<40x200xf32>)
    %6 = "stablehlo.multiply"(%40, %46) : (tensor<40x200xf32>, tensor<40x200xf32>) -> (tensor<40x200xf32>)
    %8 = "stablehlo.reduce"(%6, %32) <{dimensions = array<i64: 1>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<40x200xf32>, tensor<f32>) -> (tensor<40xf32>)
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
    %42 = "stablehlo.reshape"(%24) : (tensor<40x1xi32>) -> (tensor<40x1xi32>)
    %43 = "stablehlo.reshape"(%42) : (tensor<40x1xi32>) -> (tensor<40x1x1xi32>)
    %44 = "stablehlo.gather"(%23, %43) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<40x200xf32>, tensor<40x1x1xi32>) -> (tensor<40x1xf32>)
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %47 = "stablehlo.compare"(%42, %46) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %48 = "stablehlo.constant"() <{value = dense<200> : tensor<i32>}> : () -> (tensor<i32>)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<40x1xi32>)
    %50 = "stablehlo.compare"(%42, %49) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<40x1xi32>, tensor<40x1xi32>) -> (tensor<40x1xi1>)
    %51 = "stablehlo.and"(%47, %50) : (tensor<40x1xi1>, tensor<40x1xi1>) -> (tensor<40x1xi1>)
    %52 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x1xf32>)
    %54 = "stablehlo.select"(%51, %44, %53) : (tensor<40x1xi1>, tensor<40x1xf32>, tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %55 = "stablehlo.convert"(%54) : (tensor<40x1xf32>) -> (tensor<40x1xf32>)
    %31 = "stablehlo.reshape"(%55) : (tensor<40x1xf32>) -> (tensor<40xf32>)
    %35 = "stablehlo.reduce"(%31, %15) <{dimensions = array<i64: 0>}> ({
    ^bb0(%36: tensor<f32>, %37: tensor<f32>):
      %38 = "stablehlo.add"(%36, %37) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%38) : (tensor<f32>) -> ()
    }) : (tensor<40xf32>, tensor<f32>) -> (tensor<f32>)
    %39 = "stablehlo.constant"() <{value = dense<4.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %40 = "stablehlo.divide"(%35, %39) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %41 = "stablehlo.negate"(%40) : (tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%41) : (tensor<f32>) -> ()
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
