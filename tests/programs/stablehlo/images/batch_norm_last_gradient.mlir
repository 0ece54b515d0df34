// tolerance: 0.005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
// in: draw 6 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 746.157111 283.794893 2036.13727 943.014754 1185.50912 -1128.69494 -1521.04952 -1949.30537 -1403.00577 -235.930779 -1969.49802 3108.01522 -3849.80479 1854.53554 645.76059 -3321.35285
// out: sums -16952.8206 -2809.96165 -1540.55067 -15226.6467 -4022.10655 -13139.0431 -4376.16243 0 3921.25445 8186.70186 4222.56757 -490.26936 -705.799033 5546.32436 7154.02989 20072.6823
// out: sums 54401.9704 16472.5132 -1374.58911 10629.8861 11162.7861 14002.1699 -13513.5818 0 7337.42344 5468.5224 724.370355 -1455.53715 -159.183055 11004.0282 8191.0929 26234.4435
// out: sums -78278.416 -31101.9632 -45115.2643 -60842.6776 -34145.7936 -51043.2331 -26667.78 -41057.0453 -53182.4026 -28072.5053 -74446.0713 -53674.6273 -90302.1498 -55884.1182 -38918.6627 -57496.0794
// cost: 307 instructions, 9572666 ticks
module {
  func.func public @main(%arg0: tensor<4x12x12x16xf32>, %arg1: tensor<3x3x16x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<3x3x64x8xf32>) -> (tensor<3x3x16x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x8xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x16xf32>, tensor<3x3x16x64xf32>) -> tensor<4x12x12x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_0 = stablehlo.constant dense<5.760000e+02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1x1x1x64xf32>
    %5 = stablehlo.multiply %0, %0 : tensor<4x12x12x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_2 = stablehlo.constant dense<5.760000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x1x1x64xf32>
    %10 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %11 = stablehlo.subtract %0, %10 : tensor<4x12x12x64xf32>
    %12 = stablehlo.multiply %4, %4 : tensor<1x1x1x64xf32>
    %13 = stablehlo.subtract %9, %12 : tensor<1x1x1x64xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %15 = stablehlo.add %13, %14 : tensor<1x1x1x64xf32>
    %16 = stablehlo.rsqrt %15 : tensor<1x1x1x64xf32>
    %17 = stablehlo.divide %16, %15 : tensor<1x1x1x64xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %19 = stablehlo.multiply %18, %17 : tensor<1x1x1x64xf32>
    %20 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %21 = stablehlo.multiply %11, %20 : tensor<4x12x12x64xf32>
    %22 = stablehlo.reshape %arg2 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %24 = stablehlo.multiply %21, %23 : tensor<4x12x12x64xf32>
    %25 = stablehlo.reshape %arg3 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %27 = stablehlo.add %24, %26 : tensor<4x12x12x64xf32>
    %28 = call @relu(%27) : (tensor<4x12x12x64xf32>) -> tensor<4x12x12x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x12x12x64xf32>
    %30 = stablehlo.compare GT, %27, %29, FLOAT : (tensor<4x12x12x64xf32>, tensor<4x12x12x64xf32>) -> tensor<4x12x12x64xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x12x12x64xf32>
    %32 = stablehlo.convolution(%28, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x64xf32>, tensor<3x3x64x8xf32>) -> tensor<4x6x6x8xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<4x6x6x8xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<4x6x6x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<4x6x6x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x6x6x8xf32>
    %38 = stablehlo.multiply %37, %35 : tensor<4x6x6x8xf32>
    %39 = stablehlo.convolution(%28, %38) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x64xf32>, tensor<4x6x6x8xf32>) -> tensor<3x3x64x8xf32>
    %40 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<3x3x64x8xf32>
    %41 = stablehlo.convolution(%38, %40) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x6x6x8xf32>, tensor<3x3x64x8xf32>) -> tensor<4x12x12x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x12x12x64xf32>
    %43 = stablehlo.select %30, %41, %42 : tensor<4x12x12x64xi1>, tensor<4x12x12x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%43 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %45 = stablehlo.reshape %44 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %46 = stablehlo.reshape %45 : (tensor<1x1x1x64xf32>) -> tensor<64xf32>
    %47 = stablehlo.multiply %21, %43 : tensor<4x12x12x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_12) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %49 = stablehlo.reshape %48 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %50 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %51 = stablehlo.multiply %43, %50 : tensor<4x12x12x64xf32>
    %52 = stablehlo.reshape %49 : (tensor<1x1x1x64xf32>) -> tensor<64xf32>
    %53 = stablehlo.multiply %11, %51 : tensor<4x12x12x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_13) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %55 = stablehlo.reshape %54 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %56 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<4x12x12x64xf32>
    %57 = stablehlo.multiply %51, %56 : tensor<4x12x12x64xf32>
    %58 = stablehlo.multiply %55, %19 : tensor<1x1x1x64xf32>
    %59 = stablehlo.negate %58 : tensor<1x1x1x64xf32>
    %60 = stablehlo.multiply %4, %59 : tensor<1x1x1x64xf32>
    %61 = stablehlo.multiply %59, %4 : tensor<1x1x1x64xf32>
    %62 = stablehlo.add %60, %61 : tensor<1x1x1x64xf32>
    %63 = stablehlo.negate %57 : tensor<4x12x12x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_14) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x12x64xf32>, tensor<f32>) -> tensor<64xf32>
    %65 = stablehlo.reshape %64 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %66 = stablehlo.add %62, %65 : tensor<1x1x1x64xf32>
    %cst_15 = stablehlo.constant dense<5.760000e+02> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %68 = stablehlo.divide %58, %67 : tensor<1x1x1x64xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [3] : (tensor<64xf32>) -> tensor<4x12x12x64xf32>
    %71 = stablehlo.multiply %0, %70 : tensor<4x12x12x64xf32>
    %72 = stablehlo.add %57, %71 : tensor<4x12x12x64xf32>
    %73 = stablehlo.multiply %70, %0 : tensor<4x12x12x64xf32>
    %74 = stablehlo.add %72, %73 : tensor<4x12x12x64xf32>
    %cst_17 = stablehlo.constant dense<5.760000e+02> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x1x1x64xf32>
    %76 = stablehlo.divide %66, %75 : tensor<1x1x1x64xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.reduce(%76 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [3] : (tensor<64xf32>) -> tensor<4x12x12x64xf32>
    %79 = stablehlo.add %74, %78 : tensor<4x12x12x64xf32>
    %80 = stablehlo.convolution(%arg0, %79) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x12x12x16xf32>, tensor<4x12x12x64xf32>) -> tensor<3x3x16x64xf32>
    return %80, %52, %46, %39 : tensor<3x3x16x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x8xf32>
  }
  func.func private @relu(%arg0: tensor<4x12x12x64xf32>) -> tensor<4x12x12x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12x12x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x12x12x64xf32>
    return %1 : tensor<4x12x12x64xf32>
  }
}
