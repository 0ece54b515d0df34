// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
module @module {
  func.func public @main(%0: tensor<16x1x4xbf16>, %1: tensor<3x16x50xbf16>, %2: tensor<3x16x50xbf16>) -> (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) {
    %3 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 16 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 3, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<16x1x4xbf16>) -> (tensor<3x16x50xbf16>)
    %4 = "stablehlo.convolution"(%1, %2) <{batch_group_count = 16 : i64, feature_group_count = 1 : i64, input_batch_dimension = 1 : i64, input_feature_dimension = 0 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 1 : i64, output_feature_dimension = 0 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 3, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<3x16x50xbf16>) -> (tensor<16x1x4xbf16>)
    %5 = "stablehlo.reshape"(%0) : (tensor<16x1x4xbf16>) -> (tensor<16x1x1x4xbf16>)
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<16x1x1x4xbf16>) -> (tensor<1x16x1x4xbf16>)
    %7 = "stablehlo.reshape"(%6) : (tensor<1x16x1x4xbf16>) -> (tensor<1x16x4xbf16>)
    %8 = "stablehlo.reverse"(%7) <{dimensions = array<i64: 2>}> : (tensor<1x16x4xbf16>) -> (tensor<1x16x4xbf16>)
    %9 = "stablehlo.convolution"(%2, %8) <{batch_group_count = 1 : i64, feature_group_count = 16 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 0, 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<1x16x4xbf16>) -> (tensor<3x16x50xbf16>)
    "stablehlo.return"(%4, %9) : (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<16x1x4xbf16>, %1: tensor<3x16x50xbf16>, %2: tensor<3x16x50xbf16>) -> (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) {
    %3 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 16 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 3, 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<16x1x4xbf16>) -> (tensor<3x16x50xbf16>)
    %10 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<bf16>}> : () -> (tensor<bf16>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> (tensor<bf16>)
    %12 = "stablehlo.pad"(%1, %11) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 3>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<3x16x50xbf16>, tensor<bf16>) -> (tensor<3x16x53xbf16>)
    %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x16x53xbf16>) -> (tensor<16x3x53xbf16>)
    %14 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x16x50xbf16>) -> (tensor<16x3x50xbf16>)
    %15 = "stablehlo.convert"(%14) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %16 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 50>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %17 = "stablehlo.convert"(%16) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %18 = "stablehlo.multiply"(%17, %15) : (tensor<16x3x50xf32>, tensor<16x3x50xf32>) -> (tensor<16x3x50xf32>)
    %19 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%21: tensor<f32>, %22: tensor<f32>):
      %23 = "stablehlo.add"(%21, %22) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<16x3x50xf32>, tensor<f32>) -> (tensor<16xf32>)
    %24 = "stablehlo.reshape"(%20) : (tensor<16xf32>) -> (tensor<1x16xf32>)
    %25 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 51>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %26 = "stablehlo.convert"(%25) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %27 = "stablehlo.multiply"(%26, %15) : (tensor<16x3x50xf32>, tensor<16x3x50xf32>) -> (tensor<16x3x50xf32>)
    %28 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %29 = "stablehlo.reduce"(%27, %28) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%30: tensor<f32>, %31: tensor<f32>):
      %32 = "stablehlo.add"(%30, %31) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) : (tensor<16x3x50xf32>, tensor<f32>) -> (tensor<16xf32>)
    %33 = "stablehlo.reshape"(%29) : (tensor<16xf32>) -> (tensor<1x16xf32>)
    %34 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 52>, start_indices = array<i64: 0, 0, 2>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %35 = "stablehlo.convert"(%34) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %36 = "stablehlo.multiply"(%35, %15) : (tensor<16x3x50xf32>, tensor<16x3x50xf32>) -> (tensor<16x3x50xf32>)
    %37 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%39: tensor<f32>, %40: tensor<f32>):
      %41 = "stablehlo.add"(%39, %40) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<16x3x50xf32>, tensor<f32>) -> (tensor<16xf32>)
    %42 = "stablehlo.reshape"(%38) : (tensor<16xf32>) -> (tensor<1x16xf32>)
    %43 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 53>, start_indices = array<i64: 0, 0, 3>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %44 = "stablehlo.convert"(%43) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %45 = "stablehlo.multiply"(%44, %15) : (tensor<16x3x50xf32>, tensor<16x3x50xf32>) -> (tensor<16x3x50xf32>)
    %46 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %47 = "stablehlo.reduce"(%45, %46) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%48: tensor<f32>, %49: tensor<f32>):
      %50 = "stablehlo.add"(%48, %49) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<16x3x50xf32>, tensor<f32>) -> (tensor<16xf32>)
    %51 = "stablehlo.reshape"(%47) : (tensor<16xf32>) -> (tensor<1x16xf32>)
    %52 = "stablehlo.concatenate"(%24, %33, %42, %51) <{dimension = 0 : i64}> : (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) -> (tensor<4x16xf32>)
    %53 = "stablehlo.convert"(%52) : (tensor<4x16xf32>) -> (tensor<4x16xbf16>)
    %54 = "stablehlo.reshape"(%53) : (tensor<4x16xbf16>) -> (tensor<4x1x16xbf16>)
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x1x16xbf16>) -> (tensor<16x1x4xbf16>)
    %4 = "stablehlo.reshape"(%55) : (tensor<16x1x4xbf16>) -> (tensor<16x1x4xbf16>)
    %5 = "stablehlo.reshape"(%0) : (tensor<16x1x4xbf16>) -> (tensor<16x1x1x4xbf16>)
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<16x1x1x4xbf16>) -> (tensor<1x16x1x4xbf16>)
    %7 = "stablehlo.reshape"(%6) : (tensor<1x16x1x4xbf16>) -> (tensor<1x16x4xbf16>)
    %8 = "stablehlo.reverse"(%7) <{dimensions = array<i64: 2>}> : (tensor<1x16x4xbf16>) -> (tensor<1x16x4xbf16>)
    %9 = "stablehlo.convolution"(%2, %8) <{batch_group_count = 1 : i64, feature_group_count = 16 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 0, 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<1x16x4xbf16>) -> (tensor<3x16x50xbf16>)
    "stablehlo.return"(%4, %9) : (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) -> ()
  }
}
