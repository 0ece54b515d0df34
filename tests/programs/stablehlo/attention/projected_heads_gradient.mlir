// tolerance: 0.005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.0009765625 257
// in: draw 3 -1 0.0009765625 257
// in: draw 4 -1 0.0009765625 257
// out: sums -488356.837 -526207.829 -508196.173 -500038.549 -362122.63 -332298.282 -368131.951 -533643.151 -378668.196 -355213.606 -341306.365 -366383.919 -536027.416 -409188.152 -464212.565 -629679.073
// cost: 265 instructions, 6707636 ticks
module {
  func.func public @main(%arg0: tensor<1x140x128xf32>, %arg1: tensor<128x128xf32>, %arg2: tensor<128x128xf32>, %arg3: tensor<128x128xf32>) -> (tensor<1x140x128xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x140x128xf32>) -> tensor<1x140x2x64xf32>
    %2 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x140x128xf32>) -> tensor<1x140x2x64xf32>
    %4 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x140x128xf32>) -> tensor<1x140x2x64xf32>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x140x2x64xf32>, tensor<1x140x2x64xf32>) -> tensor<1x2x140x140xf32>
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x140x140xf32>
    %8 = stablehlo.divide %6, %7 : tensor<1x2x140x140xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x140x140xf32>, tensor<f32>) -> tensor<1x2x140xf32>
    %10 = stablehlo.reshape %9 : (tensor<1x2x140xf32>) -> tensor<1x2x140x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x140x1xf32>) -> tensor<1x2x140x140xf32>
    %12 = stablehlo.compare EQ, %8, %11, FLOAT : (tensor<1x2x140x140xf32>, tensor<1x2x140x140xf32>) -> tensor<1x2x140x140xi1>
    %13 = stablehlo.convert %12 : (tensor<1x2x140x140xi1>) -> tensor<1x2x140x140xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<1x2x140x140xf32>, tensor<f32>) -> tensor<1x2x140xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %16 = stablehlo.maximum %15, %9 : tensor<1x2x140xf32>
    %17 = stablehlo.compare EQ, %9, %16, FLOAT : (tensor<1x2x140xf32>, tensor<1x2x140xf32>) -> tensor<1x2x140xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %20 = stablehlo.select %17, %18, %19 : tensor<1x2x140xi1>, tensor<1x2x140xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %22 = stablehlo.compare EQ, %21, %16, FLOAT : (tensor<1x2x140xf32>, tensor<1x2x140xf32>) -> tensor<1x2x140xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x140xf32>
    %25 = stablehlo.select %22, %23, %24 : tensor<1x2x140xi1>, tensor<1x2x140xf32>
    %26 = stablehlo.divide %20, %25 : tensor<1x2x140xf32>
    %27 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x2x140xf32>) -> tensor<1x2x140x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x2x140x1xf32>) -> tensor<1x2x140x140xf32>
    %29 = stablehlo.subtract %8, %28 : tensor<1x2x140x140xf32>
    %30 = stablehlo.exponential %29 : tensor<1x2x140x140xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<1x2x140x140xf32>, tensor<f32>) -> tensor<1x2x140xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x2x140xf32>) -> tensor<1x2x140x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x2x140x1xf32>) -> tensor<1x2x140x140xf32>
    %34 = stablehlo.divide %30, %33 : tensor<1x2x140x140xf32>
    %35 = stablehlo.multiply %32, %32 : tensor<1x2x140x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x2x140x1xf32>
    %37 = stablehlo.divide %36, %35 : tensor<1x2x140x1xf32>
    %38 = stablehlo.dot_general %5, %34, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x140x2x64xf32>, tensor<1x2x140x140xf32>) -> tensor<1x2x64x140xf32>
    %39 = stablehlo.transpose %38, dims = [0, 3, 1, 2] : (tensor<1x2x64x140xf32>) -> tensor<1x140x2x64xf32>
    %40 = stablehlo.reshape %39 : (tensor<1x140x2x64xf32>) -> tensor<1x140x128xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x140x128xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x140x128xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x140x128xf32>) -> tensor<1x140x2x64xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 3, 1] : (tensor<1x140x2x64xf32>) -> tensor<1x2x64x140xf32>
    %45 = stablehlo.dot_general %44, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x140xf32>, tensor<1x140x2x64xf32>) -> tensor<1x2x140x140xf32>
    %46 = stablehlo.dot_general %44, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x140xf32>, tensor<1x2x140x140xf32>) -> tensor<1x2x64x140xf32>
    %47 = stablehlo.transpose %46, dims = [0, 3, 1, 2] : (tensor<1x2x64x140xf32>) -> tensor<1x140x2x64xf32>
    %48 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x2x140x1xf32>) -> tensor<1x2x140x140xf32>
    %49 = stablehlo.multiply %45, %48 : tensor<1x2x140x140xf32>
    %50 = stablehlo.multiply %49, %30 : tensor<1x2x140x140xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<1x2x140x140xf32>, tensor<f32>) -> tensor<1x2x140xf32>
    %52 = stablehlo.reshape %51 : (tensor<1x2x140xf32>) -> tensor<1x2x140x1xf32>
    %53 = stablehlo.negate %52 : tensor<1x2x140x1xf32>
    %54 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x2x140x1xf32>) -> tensor<1x2x140x140xf32>
    %55 = stablehlo.divide %45, %54 : tensor<1x2x140x140xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%53 init: %cst_13) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x140x1xf32>, tensor<f32>) -> tensor<2x140xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<2x140xf32>) -> tensor<1x2x140xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<1x2x140xf32>) -> tensor<1x2x140x140xf32>
    %59 = stablehlo.add %55, %58 : tensor<1x2x140x140xf32>
    %60 = stablehlo.multiply %59, %30 : tensor<1x2x140x140xf32>
    %cst_14 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x2x140x140xf32>
    %62 = stablehlo.divide %60, %61 : tensor<1x2x140x140xf32>
    %63 = stablehlo.dot_general %62, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x140x140xf32>, tensor<1x140x2x64xf32>) -> tensor<1x2x140x64xf32>
    %64 = stablehlo.transpose %63, dims = [0, 2, 1, 3] : (tensor<1x2x140x64xf32>) -> tensor<1x140x2x64xf32>
    %65 = stablehlo.dot_general %62, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x140x140xf32>, tensor<1x140x2x64xf32>) -> tensor<1x2x140x64xf32>
    %66 = stablehlo.transpose %65, dims = [0, 2, 1, 3] : (tensor<1x2x140x64xf32>) -> tensor<1x140x2x64xf32>
    %67 = stablehlo.reshape %47 : (tensor<1x140x2x64xf32>) -> tensor<1x140x128xf32>
    %68 = stablehlo.dot_general %67, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %69 = stablehlo.reshape %64 : (tensor<1x140x2x64xf32>) -> tensor<1x140x128xf32>
    %70 = stablehlo.dot_general %69, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %71 = stablehlo.add %68, %70 : tensor<1x140x128xf32>
    %72 = stablehlo.reshape %66 : (tensor<1x140x2x64xf32>) -> tensor<1x140x128xf32>
    %73 = stablehlo.dot_general %72, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x140x128xf32>, tensor<128x128xf32>) -> tensor<1x140x128xf32>
    %74 = stablehlo.add %71, %73 : tensor<1x140x128xf32>
    return %74 : tensor<1x140x128xf32>
  }
}
