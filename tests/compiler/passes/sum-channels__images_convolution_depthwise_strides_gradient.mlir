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
    %16 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x20x9x8xf32>) -> (tensor<20x2x9x8xf32>)
    %17 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %19 = "stablehlo.pad"(%16, %18) <{edge_padding_high = array<i64: 0, 0, 1, 1>, edge_padding_low = array<i64: 0, 0, 1, 1>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<20x2x9x8xf32>, tensor<f32>) -> (tensor<20x2x11x10xf32>)
    %20 = "stablehlo.transpose"(%14) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x20x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %21 = "stablehlo.convert"(%20) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %22 = "stablehlo.reshape"(%21) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %23 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 9, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %24 = "stablehlo.convert"(%23) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %25 = "stablehlo.reshape"(%24) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %26 = "stablehlo.multiply"(%25, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %27 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%29: tensor<f32>, %30: tensor<f32>):
      %31 = "stablehlo.add"(%29, %30) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%31) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %32 = "stablehlo.reshape"(%28) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %33 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 9, 10>, start_indices = array<i64: 0, 0, 0, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %34 = "stablehlo.convert"(%33) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %35 = "stablehlo.reshape"(%34) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %36 = "stablehlo.multiply"(%35, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %37 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%39: tensor<f32>, %40: tensor<f32>):
      %41 = "stablehlo.add"(%39, %40) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %42 = "stablehlo.reshape"(%38) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %43 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 10, 8>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %44 = "stablehlo.convert"(%43) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %45 = "stablehlo.reshape"(%44) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %46 = "stablehlo.multiply"(%45, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %47 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %48 = "stablehlo.reduce"(%46, %47) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%49: tensor<f32>, %50: tensor<f32>):
      %51 = "stablehlo.add"(%49, %50) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %52 = "stablehlo.reshape"(%48) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %53 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 10, 10>, start_indices = array<i64: 0, 0, 1, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %54 = "stablehlo.convert"(%53) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %55 = "stablehlo.reshape"(%54) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %56 = "stablehlo.multiply"(%55, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %57 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %58 = "stablehlo.reduce"(%56, %57) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%59: tensor<f32>, %60: tensor<f32>):
      %61 = "stablehlo.add"(%59, %60) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %62 = "stablehlo.reshape"(%58) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %63 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 11, 8>, start_indices = array<i64: 0, 0, 2, 0>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %64 = "stablehlo.convert"(%63) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %65 = "stablehlo.reshape"(%64) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %66 = "stablehlo.multiply"(%65, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %67 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %68 = "stablehlo.reduce"(%66, %67) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%69: tensor<f32>, %70: tensor<f32>):
      %71 = "stablehlo.add"(%69, %70) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %72 = "stablehlo.reshape"(%68) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %73 = "stablehlo.slice"(%19) <{limit_indices = array<i64: 20, 2, 11, 10>, start_indices = array<i64: 0, 0, 2, 2>, strides = array<i64: 1, 1, 2, 1>}> : (tensor<20x2x11x10xf32>) -> (tensor<20x2x5x8xf32>)
    %74 = "stablehlo.convert"(%73) : (tensor<20x2x5x8xf32>) -> (tensor<20x2x5x8xf32>)
    %75 = "stablehlo.reshape"(%74) : (tensor<20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %76 = "stablehlo.multiply"(%75, %22) : (tensor<1x20x2x5x8xf32>, tensor<1x20x2x5x8xf32>) -> (tensor<1x20x2x5x8xf32>)
    %77 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %78 = "stablehlo.reduce"(%76, %77) <{dimensions = array<i64: 2, 3, 4>}> ({
    ^bb0(%79: tensor<f32>, %80: tensor<f32>):
      %81 = "stablehlo.add"(%79, %80) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<1x20x2x5x8xf32>, tensor<f32>) -> (tensor<1x20xf32>)
    %82 = "stablehlo.reshape"(%78) : (tensor<1x20xf32>) -> (tensor<1x20xf32>)
    %83 = "stablehlo.concatenate"(%32, %42, %52, %62, %72, %82) <{dimension = 0 : i64}> : (tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>, tensor<1x20xf32>) -> (tensor<6x20xf32>)
    %84 = "stablehlo.convert"(%83) : (tensor<6x20xf32>) -> (tensor<6x20xf32>)
    %85 = "stablehlo.reshape"(%84) : (tensor<6x20xf32>) -> (tensor<3x2x1x20xf32>)
    %86 = "stablehlo.transpose"(%85) <{permutation = array<i64: 3, 2, 0, 1>}> : (tensor<3x2x1x20xf32>) -> (tensor<20x1x3x2xf32>)
    %15 = "stablehlo.reshape"(%86) : (tensor<20x1x3x2xf32>) -> (tensor<20x1x3x2xf32>)
    "stablehlo.return"(%15) : (tensor<20x1x3x2xf32>) -> ()
  }
}
