// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -6.50762171 -4.93230668 -12.3149817 -8.32357963 -8.91572537 -6.21886485 -8.72183925 -10.4505756 -8.18475636 -11.8444849 -4.58752995 -10.5996102 -5.23270239 -8.36580566 -6.49903576 -11.8539715
// cost: 66 instructions, 1429601 ticks
module {
  func.func public @main(%arg0: tensor<2x130x64xbf16>, %arg1: tensor<2x300x64xbf16>, %arg2: tensor<2x300x64xbf16>) -> (tensor<2x130x64xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x130x64xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x300xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x130x300xf32>
    %3 = stablehlo.iota dim = 0 : tensor<130xi32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<130xi32>) -> tensor<130x1xi32>
    %5 = stablehlo.iota dim = 0 : tensor<300xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<300xi32>) -> tensor<1x300xi32>
    %c = stablehlo.constant dense<90> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<130x1xi32>
    %8 = stablehlo.add %4, %7 : tensor<130x1xi32>
    %9 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x300xi32>) -> tensor<130x300xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x300xi32>
    %11 = stablehlo.compare LT, %9, %10, SIGNED : (tensor<130x300xi32>, tensor<130x300xi32>) -> tensor<130x300xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = call @_where(%11, %2, %cst_0) : (tensor<130x300xi1>, tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x130xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x130x300xf32>
    %19 = stablehlo.exponential %18 : tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x130x300xf32>
    %24 = stablehlo.convert %23 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %25 = stablehlo.dot_general %24, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %25 : tensor<2x130x64xbf16>
  }
  func.func private @_where(%arg0: tensor<130x300xi1>, %arg1: tensor<2x130x300xf32>, %arg2: tensor<f32>) -> tensor<2x130x300xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<130x300xi1>) -> tensor<2x130x300xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x130x300xi1>, tensor<2x130x300xf32>
    return %3 : tensor<2x130x300xf32>
  }
}
