// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<24x40x1x1xf32>, %1: tensor<2x40x2x2xf32>) -> (tensor<24x40x1x1xf32>) {
    %2 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 0, 0, 0, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 1, 1>}> : (tensor<2x40x2x2xf32>, tensor<24x40x1x1xf32>) -> (tensor<2x24x2x2xf32>)
    %3 = "stablehlo.composite"(%2) <{composite_attributes = {}, name = "chlo.square", version = 0 : i64}> : (tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x2x2xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<2x24x2x2xf32>, tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<2x24x2x2xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x2x2xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<2x24x2x2xf32>, tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %15 = "stablehlo.convolution"(%1, %14) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 1 : i64, input_feature_dimension = 0 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 1 : i64, output_feature_dimension = 0 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 0, 0, 0, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 1, 1>}> : (tensor<2x40x2x2xf32>, tensor<2x24x2x2xf32>) -> (tensor<24x40x1x1xf32>)
    "stablehlo.return"(%15) : (tensor<24x40x1x1xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<24x40x1x1xf32>, %1: tensor<2x40x2x2xf32>) -> (tensor<24x40x1x1xf32>) {
    %2 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 0, 0, 0, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 1, 1>}> : (tensor<2x40x2x2xf32>, tensor<24x40x1x1xf32>) -> (tensor<2x24x2x2xf32>)
    %3 = "stablehlo.composite"(%2) <{composite_attributes = {}, name = "chlo.square", version = 0 : i64}> : (tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x2x2xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<2x24x2x2xf32>, tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<2x24x2x2xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x24x2x2xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<2x24x2x2xf32>, tensor<2x24x2x2xf32>) -> (tensor<2x24x2x2xf32>)
    %16 = "stablehlo.dot_general"(%14, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 0, 2, 3>, rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0, 2, 3>}> : (tensor<2x24x2x2xf32>, tensor<2x40x2x2xf32>) -> (tensor<24x40xf32>)
    %15 = "stablehlo.reshape"(%16) : (tensor<24x40xf32>) -> (tensor<24x40x1x1xf32>)
    "stablehlo.return"(%15) : (tensor<24x40x1x1xf32>) -> ()
  }
}
