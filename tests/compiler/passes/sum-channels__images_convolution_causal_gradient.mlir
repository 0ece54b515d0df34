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
    %10 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x16x50xbf16>) -> (tensor<16x3x50xbf16>)
    %11 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<bf16>}> : () -> (tensor<bf16>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> (tensor<bf16>)
    %13 = "stablehlo.pad"(%10, %12) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 3>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<16x3x50xbf16>, tensor<bf16>) -> (tensor<16x3x53xbf16>)
    %14 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 0, 2>}> : (tensor<3x16x50xbf16>) -> (tensor<16x3x50xbf16>)
    %15 = "stablehlo.convert"(%14) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %16 = "stablehlo.reshape"(%15) : (tensor<16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %17 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 50>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %18 = "stablehlo.convert"(%17) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %19 = "stablehlo.reshape"(%18) : (tensor<16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %20 = "stablehlo.multiply"(%19, %16) : (tensor<1x16x3x50xf32>, tensor<1x16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %21 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %22 = "stablehlo.reduce"(%20, %21) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%23: tensor<f32>, %24: tensor<f32>):
      %25 = "stablehlo.add"(%23, %24) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<1x16x3x50xf32>, tensor<f32>) -> (tensor<1x16xf32>)
    %26 = "stablehlo.reshape"(%22) : (tensor<1x16xf32>) -> (tensor<1x16xf32>)
    %27 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 51>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %28 = "stablehlo.convert"(%27) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %29 = "stablehlo.reshape"(%28) : (tensor<16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %30 = "stablehlo.multiply"(%29, %16) : (tensor<1x16x3x50xf32>, tensor<1x16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %31 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%33: tensor<f32>, %34: tensor<f32>):
      %35 = "stablehlo.add"(%33, %34) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<1x16x3x50xf32>, tensor<f32>) -> (tensor<1x16xf32>)
    %36 = "stablehlo.reshape"(%32) : (tensor<1x16xf32>) -> (tensor<1x16xf32>)
    %37 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 52>, start_indices = array<i64: 0, 0, 2>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %38 = "stablehlo.convert"(%37) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %39 = "stablehlo.reshape"(%38) : (tensor<16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %40 = "stablehlo.multiply"(%39, %16) : (tensor<1x16x3x50xf32>, tensor<1x16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %41 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %42 = "stablehlo.reduce"(%40, %41) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%43: tensor<f32>, %44: tensor<f32>):
      %45 = "stablehlo.add"(%43, %44) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<1x16x3x50xf32>, tensor<f32>) -> (tensor<1x16xf32>)
    %46 = "stablehlo.reshape"(%42) : (tensor<1x16xf32>) -> (tensor<1x16xf32>)
    %47 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 16, 3, 53>, start_indices = array<i64: 0, 0, 3>, strides = array<i64: 1, 1, 1>}> : (tensor<16x3x53xbf16>) -> (tensor<16x3x50xbf16>)
    %48 = "stablehlo.convert"(%47) : (tensor<16x3x50xbf16>) -> (tensor<16x3x50xf32>)
    %49 = "stablehlo.reshape"(%48) : (tensor<16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %50 = "stablehlo.multiply"(%49, %16) : (tensor<1x16x3x50xf32>, tensor<1x16x3x50xf32>) -> (tensor<1x16x3x50xf32>)
    %51 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %52 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%53: tensor<f32>, %54: tensor<f32>):
      %55 = "stablehlo.add"(%53, %54) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%55) : (tensor<f32>) -> ()
    }) : (tensor<1x16x3x50xf32>, tensor<f32>) -> (tensor<1x16xf32>)
    %56 = "stablehlo.reshape"(%52) : (tensor<1x16xf32>) -> (tensor<1x16xf32>)
    %57 = "stablehlo.concatenate"(%26, %36, %46, %56) <{dimension = 0 : i64}> : (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) -> (tensor<4x16xf32>)
    %58 = "stablehlo.convert"(%57) : (tensor<4x16xf32>) -> (tensor<4x16xbf16>)
    %59 = "stablehlo.reshape"(%58) : (tensor<4x16xbf16>) -> (tensor<4x1x16xbf16>)
    %60 = "stablehlo.transpose"(%59) <{permutation = array<i64: 2, 1, 0>}> : (tensor<4x1x16xbf16>) -> (tensor<16x1x4xbf16>)
    %4 = "stablehlo.reshape"(%60) : (tensor<16x1x4xbf16>) -> (tensor<16x1x4xbf16>)
    %5 = "stablehlo.reshape"(%0) : (tensor<16x1x4xbf16>) -> (tensor<16x1x1x4xbf16>)
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<16x1x1x4xbf16>) -> (tensor<1x16x1x4xbf16>)
    %7 = "stablehlo.reshape"(%6) : (tensor<1x16x1x4xbf16>) -> (tensor<1x16x4xbf16>)
    %8 = "stablehlo.reverse"(%7) <{dimensions = array<i64: 2>}> : (tensor<1x16x4xbf16>) -> (tensor<1x16x4xbf16>)
    %9 = "stablehlo.convolution"(%2, %8) <{batch_group_count = 1 : i64, feature_group_count = 16 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2>, lhs_dilation = array<i64: 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2>, padding = array<i64: 0, 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1>, window_reversal = array<i64: 0>, window_strides = array<i64: 1>}> : (tensor<3x16x50xbf16>, tensor<1x16x4xbf16>) -> (tensor<3x16x50xbf16>)
    "stablehlo.return"(%4, %9) : (tensor<16x1x4xbf16>, tensor<3x16x50xbf16>) -> ()
  }
}
