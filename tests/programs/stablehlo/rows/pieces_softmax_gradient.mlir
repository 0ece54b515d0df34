// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 0.000800905963 -0.000491234084 -0.00294389436 0.00319798534 0.00197361154 -0.00113535967 0.00116830729 0.000498097866 0.00293318264 -0.00111205421 -0.0022276861 -0.0030354119 -0.00249858698 0.00111125355 0.00226638492 0.000239282414
// cost: 52 instructions, 7573566 ticks
module {
  func.func public @main(%arg0: tensor<2x50000xf32>, %arg1: tensor<2x50000xf32>) -> (tensor<2x50000xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.reshape %0 : (tensor<2xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %3 = stablehlo.compare EQ, %arg0, %2, FLOAT : (tensor<2x50000xf32>, tensor<2x50000xf32>) -> tensor<2x50000xi1>
    %4 = stablehlo.convert %3 : (tensor<2x50000xi1>) -> tensor<2x50000xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<2x50000xf32>
    %9 = stablehlo.exponential %8 : tensor<2x50000xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x50000xf32>
    %14 = stablehlo.multiply %11, %11 : tensor<2x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %16 = stablehlo.divide %15, %14 : tensor<2x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %18 = stablehlo.multiply %arg1, %17 : tensor<2x50000xf32>
    %19 = stablehlo.multiply %18, %9 : tensor<2x50000xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %21 = stablehlo.reshape %20 : (tensor<2xf32>) -> tensor<2x1xf32>
    %22 = stablehlo.negate %21 : tensor<2x1xf32>
    %23 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x50000xf32>
    %24 = stablehlo.divide %arg1, %23 : tensor<2x50000xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<2xf32>) -> tensor<2x50000xf32>
    %27 = stablehlo.add %24, %26 : tensor<2x50000xf32>
    %28 = stablehlo.multiply %27, %9 : tensor<2x50000xf32>
    %29 = stablehlo.negate %28 : tensor<2x50000xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<2x50000xf32>, tensor<f32>) -> tensor<2xf32>
    %31 = stablehlo.reshape %30 : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>
    %33 = stablehlo.divide %32, %5 : tensor<2xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xf32>) -> tensor<2x50000xf32>
    %35 = stablehlo.multiply %34, %4 : tensor<2x50000xf32>
    %36 = stablehlo.add %28, %35 : tensor<2x50000xf32>
    return %36 : tensor<2x50000xf32>
  }
}
