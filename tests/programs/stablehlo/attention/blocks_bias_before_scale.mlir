// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums -8.49221159 -5.56159853 -4.08150827 -2.31979799 -3.77931387 -5.76450432 -9.23861006 -4.30330798 -3.98431299 -11.1356862 -1.08290715 -4.03741908 -4.82059232 -6.10204272 -3.85324269 -8.36326109
// cost: 99 instructions, 3216035 ticks
module {
  func.func public @main(%arg0: tensor<2x130x64xbf16>, %arg1: tensor<2x300x64xbf16>, %arg2: tensor<2x300x64xbf16>, %arg3: tensor<130x300xf32>) -> (tensor<2x130x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x130x64xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x300xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x130x300xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2] : (tensor<130x300xf32>) -> tensor<1x130x300xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x130x300xf32>) -> tensor<2x130x300xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x130x300xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x130xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x130x300xf32>
    %14 = stablehlo.exponential %13 : tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x130x300xf32>
    %19 = stablehlo.convert %18 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %20 = stablehlo.dot_general %19, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %20 : tensor<2x130x64xbf16>
  }
}
