// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -5.1545137 -16.8051484 0.297966823 -13.8326363 -16.2967271 -10.2762873 -14.7100137 -7.49342319 -8.47199038 -14.1350341 -12.2959381 -19.8065981 -15.8950413 -19.4421819 -2.40940184 -10.4785253
// cost: 63 instructions, 1378367 ticks
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
    %7 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x300xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x300xi32>) -> tensor<130x300xi32>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<130x300xi32>, tensor<130x300xi32>) -> tensor<130x300xi1>
    %c = stablehlo.constant dense<90> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x300xi32>
    %11 = stablehlo.add %6, %10 : tensor<1x300xi32>
    %12 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x300xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x300xi32>) -> tensor<130x300xi32>
    %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<130x300xi32>, tensor<130x300xi32>) -> tensor<130x300xi1>
    %15 = stablehlo.and %9, %14 : tensor<130x300xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %16 = call @_where(%15, %2, %cst_0) : (tensor<130x300xi1>, tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %19 = stablehlo.maximum %18, %17 : tensor<2x130xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %22 = stablehlo.subtract %16, %21 : tensor<2x130x300xf32>
    %23 = stablehlo.exponential %22 : tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %27 = stablehlo.divide %23, %26 : tensor<2x130x300xf32>
    %28 = stablehlo.convert %27 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %29 = stablehlo.dot_general %28, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %29 : tensor<2x130x64xbf16>
  }
  func.func private @_where(%arg0: tensor<130x300xi1>, %arg1: tensor<2x130x300xf32>, %arg2: tensor<f32>) -> tensor<2x130x300xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<130x300xi1>) -> tensor<2x130x300xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x130x300xi1>, tensor<2x130x300xf32>
    return %3 : tensor<2x130x300xf32>
  }
}
