// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// in: draw 4 0 1 2
// out: sums -5.41598258 -3.74970265 -7.27266586 -2.0309934 -8.29959601 -4.04327668 -5.54814053 -6.99837445 -0.805793558 -9.74914721 -0.208260972 -5.86082542 -3.64013863 -4.08640675 -4.39029528 -10.7825374
// cost: 78 instructions, 1934695 ticks
module {
  func.func public @main(%arg0: tensor<2x130x64xbf16>, %arg1: tensor<2x300x64xbf16>, %arg2: tensor<2x300x64xbf16>, %arg3: tensor<130x300xi8>) -> (tensor<2x130x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x130x64xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x300xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x130x300xf32>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<130x300xi8>
    %4 = stablehlo.compare GT, %arg3, %3, SIGNED : (tensor<130x300xi8>, tensor<130x300xi8>) -> tensor<130x300xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %5 = call @_where(%4, %2, %cst_0) : (tensor<130x300xi1>, tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130x300xf32>
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
  func.func private @_where(%arg0: tensor<130x300xi1>, %arg1: tensor<2x130x300xf32>, %arg2: tensor<f32>) -> tensor<2x130x300xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<130x300xi1>) -> tensor<2x130x300xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x130x300xi1>, tensor<2x130x300xf32>
    return %3 : tensor<2x130x300xf32>
  }
}
