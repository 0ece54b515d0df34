// tolerance: 0.06
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums -7.32273526 -17.3506506 -0.415977117 -12.7112959 -16.2512131 -10.3568629 -15.8499124 -8.02461582 -9.43427156 -14.8883737 -12.3092001 -21.3003406 -17.5127495 -19.7444384 -3.9154428 -11.7164184
// cost: 64 instructions, 1414733 ticks
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
    %8 = stablehlo.iota dim = 0 : tensor<130xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<130xi32>) -> tensor<130x1xi32>
    %10 = stablehlo.iota dim = 0 : tensor<300xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<300xi32>) -> tensor<1x300xi32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<130x1xi32>) -> tensor<130x300xi32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x300xi32>) -> tensor<130x300xi32>
    %14 = stablehlo.compare GE, %12, %13, SIGNED : (tensor<130x300xi32>, tensor<130x300xi32>) -> tensor<130x300xi1>
    %cst_2 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %15 = call @_where(%14, %7, %cst_2) : (tensor<130x300xi1>, tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130x300xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x130xf32>
    %18 = stablehlo.maximum %17, %16 : tensor<2x130xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<2x130x300xf32>
    %22 = stablehlo.exponential %21 : tensor<2x130x300xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<2x130x300xf32>, tensor<f32>) -> tensor<2x130xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<2x130xf32>) -> tensor<2x130x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x130x1xf32>) -> tensor<2x130x300xf32>
    %26 = stablehlo.divide %22, %25 : tensor<2x130x300xf32>
    %27 = stablehlo.convert %26 : (tensor<2x130x300xf32>) -> tensor<2x130x300xbf16>
    %28 = stablehlo.dot_general %27, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x130x300xbf16>, tensor<2x300x64xbf16>) -> tensor<2x130x64xbf16>
    return %28 : tensor<2x130x64xbf16>
  }
  func.func private @_where(%arg0: tensor<130x300xi1>, %arg1: tensor<2x130x300xf32>, %arg2: tensor<f32>) -> tensor<2x130x300xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<130x300xi1>) -> tensor<2x130x300xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x130x300xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x130x300xi1>, tensor<2x130x300xf32>
    return %3 : tensor<2x130x300xf32>
  }
}
