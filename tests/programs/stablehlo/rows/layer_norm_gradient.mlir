// tolerance: 0.0005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 1.14008694 -27.1464935 1.20957588 21.9766553 -23.7088211 22.2752341 6.83203932 43.3384785 -4.92577908 -25.443252 -0.801264214 10.3848878 -17.9732948 -22.6027928 -2.90440421 8.49817173
// out: -17.6897278 0.871391714 -26.5954151 25.2930164 19.667614 22.0378685 -12.6058083 12.1207638 0.981042206 45.9141159 11.6844635 -9.57722473 15.8792763 -41.9214249 -12.5714712 -6.11614943 -6.06818533 -24.4968147 19.090971 -39.1587753 49.9585571 27.4524765 -31.0295124 -12.9531546 -26.3698597 21.5141392 11.7411375 23.7983246 -39.5721474 36.6049347 32.4445114 34.4898872 -12.3606882
// out: -29.2022724 -33.7773819 8.35966015 29.5934486 18.2604084 17.7821102 21.3692169 28.5120544 18.0234165 -36.9043388 -25.8004894 23.2219505 -1.77482522 13.9828281 -30.7736511 -5.75507832 1.78206789 35.4142113 -35.8187294 -29.5788803 -43.7997665 -27.0759258 -19.2328033 37.2608109 11.6957455 -31.5196571 -11.5491533 16.14785 6.22151995 21.1248512 17.5669022 -31.3246155 32.2268944
// cost: 46 instructions, 2202053 ticks
module {
  func.func public @main(%arg0: tensor<20x33xf32>, %arg1: tensor<33xf32>, %arg2: tensor<33xf32>) -> (tensor<20x33xf32>, tensor<33xf32>, tensor<33xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<20x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<20x33xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<20x33xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<20x33xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x33xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<20x33xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_3 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<20x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %16 = stablehlo.add %14, %15 : tensor<20x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<20x1xf32>
    %18 = stablehlo.divide %17, %16 : tensor<20x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<20x1xf32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %22 = stablehlo.multiply %5, %21 : tensor<20x33xf32>
    %23 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<20x33xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<20x33xf32>
    %26 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<20x33xf32>
    %28 = stablehlo.add %25, %27 : tensor<20x33xf32>
    %29 = chlo.square %28 : tensor<20x33xf32> -> tensor<20x33xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<20x33xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<20x33xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x33xf32>
    %34 = stablehlo.multiply %33, %31 : tensor<20x33xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<20x33xf32>, tensor<f32>) -> tensor<33xf32>
    %36 = stablehlo.reshape %35 : (tensor<33xf32>) -> tensor<1x33xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x33xf32>, tensor<f32>) -> tensor<33xf32>
    %38 = stablehlo.multiply %22, %34 : tensor<20x33xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<20x33xf32>, tensor<f32>) -> tensor<33xf32>
    %40 = stablehlo.reshape %39 : (tensor<33xf32>) -> tensor<1x33xf32>
    %41 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<20x33xf32>
    %42 = stablehlo.multiply %34, %41 : tensor<20x33xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%40 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x33xf32>, tensor<f32>) -> tensor<33xf32>
    %44 = stablehlo.multiply %5, %42 : tensor<20x33xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %46 = stablehlo.reshape %45 : (tensor<20xf32>) -> tensor<20x1xf32>
    %47 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x33xf32>
    %48 = stablehlo.multiply %42, %47 : tensor<20x33xf32>
    %49 = stablehlo.multiply %46, %20 : tensor<20x1xf32>
    %cst_14 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<20x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<20x1xf32>, tensor<f32>) -> tensor<20xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0] : (tensor<20xf32>) -> tensor<20x33xf32>
    %54 = stablehlo.multiply %53, %10 : tensor<20x33xf32>
    %55 = stablehlo.negate %54 : tensor<20x33xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_16) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %57 = stablehlo.reshape %56 : (tensor<20xf32>) -> tensor<20x1xf32>
    %58 = stablehlo.negate %48 : tensor<20x33xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.reduce(%58 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<20x33xf32>, tensor<f32>) -> tensor<20xf32>
    %60 = stablehlo.reshape %59 : (tensor<20xf32>) -> tensor<20x1xf32>
    %61 = stablehlo.add %54, %48 : tensor<20x33xf32>
    %62 = stablehlo.add %57, %60 : tensor<20x1xf32>
    %cst_18 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<20x1xf32>
    %64 = stablehlo.divide %62, %63 : tensor<20x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<20x1xf32>, tensor<f32>) -> tensor<20xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<20xf32>) -> tensor<20x33xf32>
    %67 = stablehlo.add %61, %66 : tensor<20x33xf32>
    return %67, %43, %37 : tensor<20x33xf32>, tensor<33xf32>, tensor<33xf32>
  }
}
