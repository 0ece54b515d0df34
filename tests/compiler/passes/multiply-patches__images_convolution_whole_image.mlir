// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x4x5x6xf32>, %1: tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>) {
    %2 = "stablehlo.convolution"(%0, %1) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = array<i64: 1, 2>, kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 0, 1>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 1, 2>, padding = array<i64: 0, 0, 0, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 1, 1>}> : (tensor<3x4x5x6xf32>, tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>)
    "stablehlo.return"(%2) : (tensor<3x1x1x20xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x4x5x6xf32>, %1: tensor<4x5x6x20xf32>) -> (tensor<3x1x1x20xf32>) {
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1, 2, 3>, rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x5x6xf32>, tensor<4x5x6x20xf32>) -> (tensor<3x20xf32>)
    %2 = "stablehlo.reshape"(%3) : (tensor<3x20xf32>) -> (tensor<3x1x1x20xf32>)
    "stablehlo.return"(%2) : (tensor<3x1x1x20xf32>) -> ()
  }
}
