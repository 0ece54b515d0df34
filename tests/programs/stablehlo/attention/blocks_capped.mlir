// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -5.82728234 -4.21908914 -6.50273047 -4.17364746 -4.96841164 -3.11991044 -6.68921711 -7.33544189 -4.77930878 -7.07271947 -2.64955562 -6.66678617 -1.59136606 -4.04973684 -2.80949506 -7.31001904
// cost: 68 instructions, 1487208 ticks
module {
  func.func public @main(%arg0: tensor<2x130x64xbf16>, %arg1: tensor<2x300x64xbf16>, %arg2: tensor<2x300x64xbf16>) -> (tensor<2x130x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x130x64xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x300xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x130x300xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x130x300xf32>
    %5 = stablehlo.tanh %4 : tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<2x130x300xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %10 = stablehlo.maximum %9, %8 : tensor<2x130xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %13 = stablehlo.subtract %7, %12 : tensor<2x130x300xf32>
    %14 = stablehlo.exponential %13 : tensor<2x130x300xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %18 = stablehlo.divide %14, %17 : tensor<2x130x300xf32>
    %19 = stablehlo.convert %18 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %20 = stablehlo.dot_general %19, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %20 : tensor<2x130x64xbf16>
  }
}
