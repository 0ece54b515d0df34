// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 40
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x40xf32>, %2: tensor<20xi32>) -> (tensor<f32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x40xf32>) -> (tensor<20x40xf32>)
    %15 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %19 = "stablehlo.reduce"(%3, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.maximum"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %21 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %22 = "stablehlo.maximum"(%21, %19) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %25 = "stablehlo.subtract"(%3, %24) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %26 = "stablehlo.exponential"(%25) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %27 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %31 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 1>}> ({
    ^bb0(%28: tensor<f32>, %29: tensor<f32>):
      %30 = "stablehlo.add"(%28, %29) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%30) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %33 = "stablehlo.log"(%32) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %35 = "stablehlo.subtract"(%25, %34) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xi32>) -> (tensor<20x1xi32>)
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %38 = "stablehlo.compare"(%5, %37) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi1>)
    %39 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %41 = "stablehlo.add"(%5, %40) : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %42 = "stablehlo.select"(%38, %41, %5) : (tensor<20x1xi1>, tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %43 = "stablehlo.reshape"(%42) : (tensor<20x1xi32>) -> (tensor<20x1x1xi32>)
    %44 = "stablehlo.constant"() <{value = dense<39> : tensor<1xi32>}> : () -> (tensor<1xi32>)
    %46 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1x1xi32>)
    %47 = "stablehlo.compare"(%43, %46) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %48 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> (tensor<1x1x1xi32>)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> (tensor<20x1x1xi32>)
    %50 = "stablehlo.compare"(%43, %49) <{compare_type = "SIGNED", comparison_direction = "LE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %51 = "stablehlo.and"(%47, %50) : (tensor<20x1x1xi1>, tensor<20x1x1xi1>) -> (tensor<20x1x1xi1>)
    %52 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %56 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 2>}> ({
    ^bb0(%53: tensor<i1>, %54: tensor<i1>):
      %55 = "stablehlo.and"(%53, %54) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      "stablehlo.return"(%55) : (tensor<i1>) -> ()
    }) : (tensor<20x1x1xi1>, tensor<i1>) -> (tensor<20x1xi1>)
    %57 = "stablehlo.gather"(%35, %43) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<20x40xf32>, tensor<20x1x1xi32>) -> (tensor<20x1xf32>)
    %58 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x1xf32>)
    %60 = "stablehlo.select"(%56, %57, %59) : (tensor<20x1xi1>, tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %8 = "stablehlo.reduce"(%60, %27) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<20x1xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.divide"(%8, %12) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %14 = "stablehlo.negate"(%13) : (tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%14) : (tensor<f32>) -> ()
  }
  func.func private @log_softmax(%0: tensor<20x40xf32>) -> (tensor<20x40xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.maximum"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %8 = "stablehlo.maximum"(%7, %2) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %11 = "stablehlo.subtract"(%0, %10) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %12 = "stablehlo.exponential"(%11) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %13 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 1>}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %17 = "stablehlo.add"(%15, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %19 = "stablehlo.log"(%18) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %21 = "stablehlo.subtract"(%11, %20) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    "stablehlo.return"(%21) : (tensor<20x40xf32>) -> ()
  }
  func.func private @take_along_axis(%0: tensor<20x40xf32>, %1: tensor<20x1xi32>) -> (tensor<20x1xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %4 = "stablehlo.compare"(%1, %3) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi1>)
    %5 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %7 = "stablehlo.add"(%1, %6) : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %8 = "stablehlo.select"(%4, %7, %1) : (tensor<20x1xi1>, tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %9 = "stablehlo.reshape"(%8) : (tensor<20x1xi32>) -> (tensor<20x1x1xi32>)
    %10 = "stablehlo.constant"() <{value = dense<39> : tensor<1xi32>}> : () -> (tensor<1xi32>)
    %12 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1x1xi32>)
    %13 = "stablehlo.compare"(%9, %12) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %14 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> (tensor<1x1x1xi32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> (tensor<20x1x1xi32>)
    %16 = "stablehlo.compare"(%9, %15) <{compare_type = "SIGNED", comparison_direction = "LE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %17 = "stablehlo.and"(%13, %16) : (tensor<20x1x1xi1>, tensor<20x1x1xi1>) -> (tensor<20x1x1xi1>)
    %18 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %19 = "stablehlo.reduce"(%17, %18) <{dimensions = array<i64: 2>}> ({
    ^bb0(%20: tensor<i1>, %21: tensor<i1>):
      %22 = "stablehlo.and"(%20, %21) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      "stablehlo.return"(%22) : (tensor<i1>) -> ()
    }) : (tensor<20x1x1xi1>, tensor<i1>) -> (tensor<20x1xi1>)
    %23 = "stablehlo.gather"(%0, %9) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<20x40xf32>, tensor<20x1x1xi32>) -> (tensor<20x1xf32>)
    %24 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x1xf32>)
    %26 = "stablehlo.select"(%19, %23, %25) : (tensor<20x1xi1>, tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    "stablehlo.return"(%26) : (tensor<20x1xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x30xf32>, %1: tensor<30x40xf32>, %2: tensor<20xi32>) -> (tensor<f32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<20x30xf32>, tensor<30x40xf32>) -> (tensor<20x40xf32>)
    %4 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 1>}> ({
    ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %8 = "stablehlo.maximum"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %10 = "stablehlo.maximum"(%9, %5) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %13 = "stablehlo.subtract"(%3, %12) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %14 = "stablehlo.exponential"(%13) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %15 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %19 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %20 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %21 = "stablehlo.log"(%20) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %23 = "stablehlo.subtract"(%13, %22) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xi32>) -> (tensor<20x1xi32>)
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %27 = "stablehlo.compare"(%24, %26) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi1>)
    %28 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %30 = "stablehlo.add"(%24, %29) : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %31 = "stablehlo.select"(%27, %30, %24) : (tensor<20x1xi1>, tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %32 = "stablehlo.reshape"(%31) : (tensor<20x1xi32>) -> (tensor<20x1x1xi32>)
    %33 = "stablehlo.constant"() <{value = dense<39> : tensor<1xi32>}> : () -> (tensor<1xi32>)
    %34 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1x1xi32>)
    %35 = "stablehlo.compare"(%32, %34) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %36 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> (tensor<1x1x1xi32>)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> (tensor<20x1x1xi32>)
    %38 = "stablehlo.compare"(%32, %37) <{compare_type = "SIGNED", comparison_direction = "LE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %39 = "stablehlo.and"(%35, %38) : (tensor<20x1x1xi1>, tensor<20x1x1xi1>) -> (tensor<20x1x1xi1>)
    %40 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %41 = "stablehlo.reduce"(%39, %40) <{dimensions = array<i64: 2>}> ({
    ^bb0(%42: tensor<i1>, %43: tensor<i1>):
      %44 = "stablehlo.and"(%42, %43) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      "stablehlo.return"(%44) : (tensor<i1>) -> ()
    }) : (tensor<20x1x1xi1>, tensor<i1>) -> (tensor<20x1xi1>)
    %56 = "stablehlo.gather"(%3, %32) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<20x40xf32>, tensor<20x1x1xi32>) -> (tensor<20x1xf32>)
    %57 = "stablehlo.reshape"(%11) : (tensor<20x1xf32>) -> (tensor<20xf32>)
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %59 = "stablehlo.subtract"(%56, %58) : (tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %60 = "stablehlo.reshape"(%21) : (tensor<20x1xf32>) -> (tensor<20xf32>)
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %62 = "stablehlo.subtract"(%59, %61) : (tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %46 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x1xf32>)
    %48 = "stablehlo.select"(%41, %62, %47) : (tensor<20x1xi1>, tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %49 = "stablehlo.reduce"(%48, %15) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%50: tensor<f32>, %51: tensor<f32>):
      %52 = "stablehlo.add"(%50, %51) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<20x1xf32>, tensor<f32>) -> (tensor<f32>)
    %53 = "stablehlo.constant"() <{value = dense<2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %54 = "stablehlo.divide"(%49, %53) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %55 = "stablehlo.negate"(%54) : (tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%55) : (tensor<f32>) -> ()
  }
  func.func private @log_softmax(%0: tensor<20x40xf32>) -> (tensor<20x40xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.maximum"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20xf32>)
    %7 = "stablehlo.maximum"(%6, %2) : (tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %10 = "stablehlo.subtract"(%0, %9) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %11 = "stablehlo.exponential"(%10) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x40xf32>) -> (tensor<20x40xf32>)
    %12 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.reduce"(%11, %12) <{dimensions = array<i64: 1>}> ({
    ^bb0(%14: tensor<f32>, %15: tensor<f32>):
      %16 = "stablehlo.add"(%14, %15) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<20x40xf32>, tensor<f32>) -> (tensor<20xf32>)
    %17 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<20xf32>) -> (tensor<20x1xf32>)
    %18 = "stablehlo.log"(%17) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<20x1xf32>) -> (tensor<20x1xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<20x1xf32>) -> (tensor<20x40xf32>)
    %20 = "stablehlo.subtract"(%10, %19) : (tensor<20x40xf32>, tensor<20x40xf32>) -> (tensor<20x40xf32>)
    "stablehlo.return"(%20) : (tensor<20x40xf32>) -> ()
  }
  func.func private @take_along_axis(%0: tensor<20x40xf32>, %1: tensor<20x1xi32>) -> (tensor<20x1xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %4 = "stablehlo.compare"(%1, %3) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi1>)
    %5 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1xi32>)
    %7 = "stablehlo.add"(%1, %6) : (tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %8 = "stablehlo.select"(%4, %7, %1) : (tensor<20x1xi1>, tensor<20x1xi32>, tensor<20x1xi32>) -> (tensor<20x1xi32>)
    %9 = "stablehlo.reshape"(%8) : (tensor<20x1xi32>) -> (tensor<20x1x1xi32>)
    %10 = "stablehlo.constant"() <{value = dense<39> : tensor<1xi32>}> : () -> (tensor<1xi32>)
    %11 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<20x1x1xi32>)
    %12 = "stablehlo.compare"(%9, %11) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %13 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> (tensor<1x1x1xi32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> (tensor<20x1x1xi32>)
    %15 = "stablehlo.compare"(%9, %14) <{compare_type = "SIGNED", comparison_direction = "LE"}> : (tensor<20x1x1xi32>, tensor<20x1x1xi32>) -> (tensor<20x1x1xi1>)
    %16 = "stablehlo.and"(%12, %15) : (tensor<20x1x1xi1>, tensor<20x1x1xi1>) -> (tensor<20x1x1xi1>)
    %17 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> (tensor<i1>)
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 2>}> ({
    ^bb0(%19: tensor<i1>, %20: tensor<i1>):
      %21 = "stablehlo.and"(%19, %20) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }) : (tensor<20x1x1xi1>, tensor<i1>) -> (tensor<20x1xi1>)
    %22 = "stablehlo.gather"(%0, %9) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : i64, indices_are_sorted = false, offset_dims = array<i64>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>}> : (tensor<20x40xf32>, tensor<20x1x1xi32>) -> (tensor<20x1xf32>)
    %23 = "stablehlo.constant"() <{value = dense<"0x0000C07F"> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<20x1xf32>)
    %25 = "stablehlo.select"(%18, %22, %24) : (tensor<20x1xi1>, tensor<20x1xf32>, tensor<20x1xf32>) -> (tensor<20x1xf32>)
    "stablehlo.return"(%25) : (tensor<20x1xf32>) -> ()
  }
}
