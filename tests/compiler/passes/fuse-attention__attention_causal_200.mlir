// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x200x16xf32>, %1: tensor<1x200x16xf32>, %2: tensor<1x200x16xf32>) -> (tensor<1x200x16xf32>) {
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<200xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<200xi32>) -> (tensor<200x1xi32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<200x1xi32>)
    %7 = "stablehlo.add"(%4, %6) : (tensor<200x1xi32>, tensor<200x1xi32>) -> (tensor<200x1xi32>)
    %9 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1>}> : (tensor<200xi32>) -> (tensor<1x200xi32>)
    %10 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<200x1xi32>) -> (tensor<200x200xi32>)
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xi32>) -> (tensor<200x200xi32>)
    %12 = "stablehlo.compare"(%10, %11) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<200x200xi32>, tensor<200x200xi32>) -> (tensor<200x200xi1>)
    %13 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<1x200x16xf32>, tensor<1x200x16xf32>) -> (tensor<1x200x200xf32>)
    %14 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %16 = "stablehlo.multiply"(%13, %15) : (tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    %17 = "stablehlo.constant"() <{value = dense<-1.000000015e+30> : tensor<f32>}> : () -> (tensor<f32>)
    %41 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<200x200xi1>) -> (tensor<1x200x200xi1>)
    %42 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %43 = "stablehlo.select"(%41, %16, %42) : (tensor<1x200x200xi1>, tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    %19 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.reduce"(%43, %19) <{dimensions = array<i64: 2>}> ({
    ^bb0(%21: tensor<f32>, %22: tensor<f32>):
      %23 = "stablehlo.maximum"(%21, %22) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<1x200x200xf32>, tensor<f32>) -> (tensor<1x200xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200xf32>)
    %26 = "stablehlo.maximum"(%25, %20) : (tensor<1x200xf32>, tensor<1x200xf32>) -> (tensor<1x200xf32>)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xf32>) -> (tensor<1x200x1xf32>)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x200x1xf32>) -> (tensor<1x200x200xf32>)
    %29 = "stablehlo.subtract"(%43, %28) : (tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    %30 = "stablehlo.exponential"(%29) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    %31 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 2>}> ({
    ^bb0(%33: tensor<f32>, %34: tensor<f32>):
      %35 = "stablehlo.add"(%33, %34) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<1x200x200xf32>, tensor<f32>) -> (tensor<1x200xf32>)
    %36 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xf32>) -> (tensor<1x200x1xf32>)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x200x1xf32>) -> (tensor<1x200x200xf32>)
    %38 = "stablehlo.divide"(%30, %37) : (tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    %39 = "stablehlo.dot_general"(%38, %2) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<1x200x200xf32>, tensor<1x200x16xf32>) -> (tensor<1x200x16xf32>)
    "stablehlo.return"(%39) : (tensor<1x200x16xf32>) -> ()
  }
  func.func private @_where(%0: tensor<200x200xi1>, %1: tensor<1x200x200xf32>, %2: tensor<f32>) -> (tensor<1x200x200xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<200x200xi1>) -> (tensor<1x200x200xi1>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %6 = "stablehlo.select"(%4, %1, %5) : (tensor<1x200x200xi1>, tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    "stablehlo.return"(%6) : (tensor<1x200x200xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x200x16xf32>, %1: tensor<1x200x16xf32>, %2: tensor<1x200x16xf32>) -> (tensor<1x200x16xf32>) {
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<200xi32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<200xi32>) -> (tensor<200x1xi32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<200x1xi32>)
    %7 = "stablehlo.add"(%4, %6) : (tensor<200x1xi32>, tensor<200x1xi32>) -> (tensor<200x1xi32>)
    %8 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1>}> : (tensor<200xi32>) -> (tensor<1x200xi32>)
    %9 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<200x1xi32>) -> (tensor<200x200xi32>)
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x200xi32>) -> (tensor<200x200xi32>)
    %11 = "stablehlo.compare"(%9, %10) <{compare_type = "SIGNED", comparison_direction = "GE"}> : (tensor<200x200xi32>, tensor<200x200xi32>) -> (tensor<200x200xi1>)
    %13 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %16 = "stablehlo.constant"() <{value = dense<-1.000000015e+30> : tensor<f32>}> : () -> (tensor<f32>)
    %17 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<200x200xi1>) -> (tensor<1x200x200xi1>)
    %18 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %20 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200xf32>)
    %31 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %39 = "stablehlo.composite"(%0, %1, %2) <{column_count = 16 : i64, depth = 16 : i64, key_dims = array<i64: 0, 1, 2>, keys = 200 : i64, locations = array<i64: 10, 13, 17, 21, 23, 24, 25, 26, 27, 31, 32, 33, 34, 35>, mask_high = 0 : i64, mask_low = -2305843009213693951 : i64, name = "trainyard.attention", outer = array<i64: 1>, queries = 200 : i64, query_dims = array<i64: 0, 1, 2>, result_dims = array<i64: 0, 1, 2>, scale = 2.50000000000000000e-01 : f64, value_dims = array<i64: 0, 1, 2>, weights = type<tensor<f32>>}> : (tensor<1x200x16xf32>, tensor<1x200x16xf32>, tensor<1x200x16xf32>) -> (tensor<1x200x16xf32>)
    "stablehlo.return"(%39) : (tensor<1x200x16xf32>) -> ()
  }
  func.func private @_where(%0: tensor<200x200xi1>, %1: tensor<1x200x200xf32>, %2: tensor<f32>) -> (tensor<1x200x200xf32>) {
    %3 = "stablehlo.convert"(%2) : (tensor<f32>) -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<200x200xi1>) -> (tensor<1x200x200xi1>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x200x200xf32>)
    %6 = "stablehlo.select"(%4, %1, %5) : (tensor<1x200x200xi1>, tensor<1x200x200xf32>, tensor<1x200x200xf32>) -> (tensor<1x200x200xf32>)
    "stablehlo.return"(%6) : (tensor<1x200x200xf32>) -> ()
  }
}
