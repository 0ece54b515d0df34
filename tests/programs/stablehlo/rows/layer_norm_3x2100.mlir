// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 4.24586064 -5.90433676 -67.5764234 -40.0060889 -19.584784 -1.69592668 13.2436323 2.86292547 -30.4863455 -1.65477258 -65.7524051 -29.5747978 -54.9485269 -21.7629786 -20.2452123 -57.3739109
// cost: 21 instructions, 1509664 ticks
module {
  func.func public @main(%arg0: tensor<3x2100xf32>, %arg1: tensor<2100xf32>, %arg2: tensor<2100xf32>) -> (tensor<3x2100xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x2100xf32>, tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_0 = stablehlo.constant dense<2.100000e+03> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x2100xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x2100xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x2100xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<3x2100xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<3x2100xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<3x2100xf32>, tensor<f32>) -> tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_2 = stablehlo.constant dense<2.100000e+03> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<3x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<3x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<3x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x2100xf32>
    %17 = stablehlo.multiply %5, %16 : tensor<3x2100xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<2100xf32>) -> tensor<1x2100xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x2100xf32>) -> tensor<3x2100xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<3x2100xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<2100xf32>) -> tensor<1x2100xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x2100xf32>) -> tensor<3x2100xf32>
    %23 = stablehlo.add %20, %22 : tensor<3x2100xf32>
    return %23 : tensor<3x2100xf32>
  }
}
