// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x260x8xf32>, %1: tensor<1x600x8xf32>, %2: tensor<1x600x8xf32>) -> (tensor<1x260x8xf32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<1x260x8xf32>, tensor<1x600x8xf32>) -> (tensor<1x260x600xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x260x600xf32>)
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<1x260x600xf32>, tensor<1x260x600xf32>) -> (tensor<1x260x600xf32>)
    %7 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 2>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.maximum"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<1x260x600xf32>, tensor<f32>) -> (tensor<1x260xf32>)
    %13 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x260xf32>)
    %14 = "stablehlo.maximum"(%13, %8) : (tensor<1x260xf32>, tensor<1x260xf32>) -> (tensor<1x260xf32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x260xf32>) -> (tensor<1x260x1xf32>)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x260x1xf32>) -> (tensor<1x260x600xf32>)
    %17 = "stablehlo.subtract"(%6, %16) : (tensor<1x260x600xf32>, tensor<1x260x600xf32>) -> (tensor<1x260x600xf32>)
    %18 = "stablehlo.exponential"(%17) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1x260x600xf32>) -> (tensor<1x260x600xf32>)
    %19 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 2>}> ({
    ^bb0(%21: tensor<f32>, %22: tensor<f32>):
      %23 = "stablehlo.add"(%21, %22) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<1x260x600xf32>, tensor<f32>) -> (tensor<1x260xf32>)
    %24 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x260xf32>) -> (tensor<1x260x1xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x260x1xf32>) -> (tensor<1x260x600xf32>)
    %26 = "stablehlo.divide"(%18, %25) : (tensor<1x260x600xf32>, tensor<1x260x600xf32>) -> (tensor<1x260x600xf32>)
    %27 = "stablehlo.dot_general"(%26, %2) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<1x260x600xf32>, tensor<1x600x8xf32>) -> (tensor<1x260x8xf32>)
    "stablehlo.return"(%27) : (tensor<1x260x8xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x260x8xf32>, %1: tensor<1x600x8xf32>, %2: tensor<1x600x8xf32>) -> (tensor<1x260x8xf32>) {
    %4 = "stablehlo.constant"() <{value = dense<2.500000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x260x600xf32>)
    %7 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x260xf32>)
    %18 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %26 = "stablehlo.composite"(%0, %1, %2) <{column_count = 8 : i64, depth = 8 : i64, key_dims = array<i64: 0, 1, 2>, keys = 600 : i64, locations = array<i64: 1, 4, 8, 10, 11, 12, 13, 14, 18, 19, 20, 21, 22>, name = "trainyard.attention", outer = array<i64: 1>, queries = 260 : i64, query_dims = array<i64: 0, 1, 2>, result_dims = array<i64: 0, 1, 2>, scale = 2.50000000000000000e-01 : f64, value_dims = array<i64: 0, 1, 2>, weights = type<tensor<f32>>}> : (tensor<1x260x8xf32>, tensor<1x600x8xf32>, tensor<1x600x8xf32>) -> (tensor<1x260x8xf32>)
    "stablehlo.return"(%26) : (tensor<1x260x8xf32>) -> ()
  }
}
