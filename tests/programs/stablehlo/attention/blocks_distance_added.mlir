// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -3.6958659 -1.47277304 -2.90932026 0.501229398 -0.149924759 0.544240445 -4.08624305 -5.07016482 -0.00215227157 -3.62212215 0.262273439 -2.03828702 3.11942674 -0.573761046 0.863778776 -3.22482475
// cost: 83 instructions, 2408439 ticks
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
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x300xi32>) -> tensor<130x300xi32>
    %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x300xi32>
    %9 = stablehlo.subtract %7, %8 : tensor<130x300xi32>
    %10 = stablehlo.convert %9 : (tensor<130x300xi32>) -> tensor<130x300xf32>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<130x300xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<130x300xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<130x300xf32>) -> tensor<1x130x300xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x130x300xf32>) -> tensor<2x130x300xf32>
    %15 = stablehlo.add %2, %14 : tensor<2x130x300xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x130xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<2x130x300xf32>
    %22 = stablehlo.exponential %21 : tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x130x300xf32>
    %27 = stablehlo.convert %26 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %28 = stablehlo.dot_general %27, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %28 : tensor<2x130x64xbf16>
  }
}
