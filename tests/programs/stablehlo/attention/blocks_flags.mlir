// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// in: draw 4 0 1 2
// out: sums -0.520515267 -0.17508073 -2.73369148 0.882634221 -1.11401621 1.81373713 -2.50949832 -1.77680153 2.21633043 -2.11749716 2.30289251 -2.64828941 3.18446132 2.20981145 1.54420892 -0.145232948
// cost: 75 instructions, 1917162 ticks
module {
  func.func public @main(%arg0: tensor<2x130x64xbf16>, %arg1: tensor<2x300x64xbf16>, %arg2: tensor<2x300x64xbf16>, %arg3: tensor<2x1x300xi8>) -> (tensor<2x130x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x130x64xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x300xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x130x300xf32>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<2x1x300xi8>
    %4 = stablehlo.compare GT, %arg3, %3, SIGNED : (tensor<2x1x300xi8>, tensor<2x1x300xi8>) -> tensor<2x1x300xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %5 = call @_where(%4, %2, %cst_0) : (tensor<2x1x300xi1>, tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x130xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x130x300xf32>
    %12 = stablehlo.exponential %11 : tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x130x300xf32>
    %17 = stablehlo.convert %16 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %18 = stablehlo.dot_general %17, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %18 : tensor<2x130x64xbf16>
  }
  func.func private @_where(%arg0: tensor<2x1x300xi1>, %arg1: tensor<2x130x300xf32>, %arg2: tensor<f32>) -> tensor<2x130x300xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<2x1x300xi1>) -> tensor<2x130x300xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x130x300xi1>, tensor<2x130x300xf32>
    return %3 : tensor<2x130x300xf32>
  }
}
