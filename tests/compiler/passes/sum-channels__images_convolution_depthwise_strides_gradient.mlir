// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<20x1x3x2xf32>, %1: tensor<2x20x9x8xf32>) -> (tensor<20x1x3x2xf32>) {
    %2 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 20 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 1, 1, 1, 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 2, 1>}> : (tensor<2x20x9x8xf32>, tensor<20x1x3x2xf32>) -> (tensor<2x20x5x8xf32>)
    %3 = "stablehlo.composite"(%2) <{composite_attributes = {}, name = "chlo.square", version = 0 : i64}> : (tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x20x5x8xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<2x20x5x8xf32>, tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<2x20x5x8xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x20x5x8xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<2x20x5x8xf32>, tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %15 = "stablehlo.convolution"(%1, %14) <{batch_group_count = 20 : i64, feature_group_count = 1 : i64, input_batch_dimension = 1 : i64, input_feature_dimension = 0 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 1 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 1 : i64, output_feature_dimension = 0 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 1, 1, 1, 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 1, 2>}> : (tensor<2x20x9x8xf32>, tensor<2x20x5x8xf32>) -> (tensor<20x1x3x2xf32>)
    "stablehlo.return"(%15) : (tensor<20x1x3x2xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<20x1x3x2xf32>, %1: tensor<2x20x9x8xf32>) -> (tensor<20x1x3x2xf32>) {
    %2 = "stablehlo.convolution"(%1, %0) <{batch_group_count = 1 : i64, feature_group_count = 20 : i64, input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2, 3>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2, 3>, lhs_dilation = array<i64: 1, 1>, output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2, 3>, padding = array<i64: 1, 1, 1, 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_dilation = array<i64: 1, 2>, window_reversal = array<i64: 0, 0>, window_strides = array<i64: 2, 1>}> : (tensor<2x20x9x8xf32>, tensor<20x1x3x2xf32>) -> (tensor<2x20x5x8xf32>)
    %3 = "stablehlo.composite"(%2) <{composite_attributes = {}, name = "chlo.square", version = 0 : i64}> : (tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x20x5x8xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<2x20x5x8xf32>, tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<2x20x5x8xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<2x20x5x8xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<2x20x5x8xf32>, tensor<2x20x5x8xf32>) -> (tensor<2x20x5x8xf32>)
    %16 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %18 = "stablehlo.pad"(%1, %17) <{edge_padding_high = array<i64: 0, 0, 1, 1>, edge_padding_low = array<i64: 0, 0, 1, 1>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x20x9x8xf32>, tensor<f32>) -> (tensor<2x20x11x10xf32>)
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x20x11x10xf32>) -> (tensor<20x2x11x10xf32>)
    %20 = "stablehlo.transpose"(%14) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x20x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %21 = "stablehlo.convert"(%20) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %22 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 9, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %23 = "stablehlo.convert"(%22) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %24 = "stablehlo.multiply"(%23, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %25 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%27: tensor<f32>, %28: tensor<f32>):
      %29 = "stablehlo.add"(%27, %28) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %30 = "stablehlo.reshape"(%26) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %31 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 9, 10>, start_indices = array<i64: 0, 0, 0, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %32 = "stablehlo.convert"(%31) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %33 = "stablehlo.multiply"(%32, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %34 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%36: tensor<f32>, %37: tensor<f32>):
      %38 = "stablehlo.add"(%36, %37) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%38) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %39 = "stablehlo.reshape"(%35) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %40 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 10, 8>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %41 = "stablehlo.convert"(%40) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %42 = "stablehlo.multiply"(%41, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %43 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%45: tensor<f32>, %46: tensor<f32>):
      %47 = "stablehlo.add"(%45, %46) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %48 = "stablehlo.reshape"(%44) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %49 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 10, 10>, start_indices = array<i64: 0, 0, 1, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %50 = "stablehlo.convert"(%49) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %51 = "stablehlo.multiply"(%50, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %52 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%54: tensor<f32>, %55: tensor<f32>):
      %56 = "stablehlo.add"(%54, %55) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%56) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %57 = "stablehlo.reshape"(%53) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %58 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 11, 8>, start_indices = array<i64: 0, 0, 2, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %59 = "stablehlo.convert"(%58) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %60 = "stablehlo.multiply"(%59, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %61 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %62 = "stablehlo.reduce"(%60, %61) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%63: tensor<f32>, %64: tensor<f32>):
      %65 = "stablehlo.add"(%63, %64) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%65) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %66 = "stablehlo.reshape"(%62) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %67 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 11, 10>, start_indices = array<i64: 0, 0, 2, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %68 = "stablehlo.convert"(%67) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %69 = "stablehlo.multiply"(%68, %21) : (tensor<20x2x5x8xf32>, tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %70 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %71 = "stablehlo.reduce"(%69, %70) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%72: tensor<f32>, %73: tensor<f32>):
      %74 = "stablehlo.add"(%72, %73) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%74) : (tensor<f32>) -> ()
    }) : (tensor<20x2x5x8xf32>, tensor<f32>) -> (tensor<20xf32>)
    %75 = "stablehlo.reshape"(%71) : (tensor<20xf32>) -> (tensor<1x20xf32>)
    %76 = "stablehlo.concatenate"(%30, %39, %48, %57, %66, %75) <{dimension = 0 : i64}> : (tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>) -> (tensor<6x20xf32>)
    %77 = "stablehlo.convert"(%76) : (tensor<6x20xf32>) -> (tensor<6x20xf32>)
    %78 = "stablehlo.reshape"(%77) : (tensor<6x20xf32>) -> (tensor<3x2x1x20xf32>)
    %79 = "stablehlo.transpose"(%78) <{permutation = array<i64: 3, 2, 0, 1>}> : (tensor<3x2x1x20xf32>) -> (tensor<20x1x3x2xf32>)
    %15 = "stablehlo.reshape"(%79) : (tensor<20x1x3x2xf32>) -> (tensor<20x1x3x2xf32>)
    "stablehlo.return"(%15) : (tensor<20x1x3x2xf32>) -> ()
  }
}
