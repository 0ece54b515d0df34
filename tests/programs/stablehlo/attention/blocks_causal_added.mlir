// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -7.32422891 -17.3491701 -0.417922724 -12.7118695 -16.2548247 -10.3549213 -15.8529486 -8.02808069 -9.43765559 -14.8879605 -12.3139159 -21.3016877 -17.5138389 -19.7384678 -3.91085809 -11.7171326
// cost: 60 instructions, 1261265 ticks
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
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %10 = call @_where(%9, %cst_0, %cst_1) : (tensor<130x300xi1>, tensor<f32>, tensor<f32>) -> tensor<130x300xf32>
    %11 = stablehlo.convert %10 : tensor<130x300xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1, 2] : (tensor<130x300xf32>) -> tensor<1x130x300xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x130x300xf32>) -> tensor<2x130x300xf32>
    %14 = stablehlo.add %2, %13 : tensor<2x130x300xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<2x130xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<2x130x300xf32>
    %21 = stablehlo.exponential %20 : tensor<2x130x300xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %25 = stablehlo.divide %21, %24 : tensor<2x130x300xf32>
    %26 = stablehlo.convert %25 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %27 = stablehlo.dot_general %26, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %27 : tensor<2x130x64xbf16>
  }
  func.func private @_where(%arg0: tensor<130x300xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<130x300xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<130x300xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<130x300xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<130x300xi1>, tensor<130x300xf32>
    return %2 : tensor<130x300xf32>
  }
}
