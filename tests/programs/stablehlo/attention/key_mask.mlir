// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 7
// out: sums -1.93332847 -0.567411923 -0.644728187 -3.3965911 0.293805318 -1.83368014 -4.23158857 -2.82060376 -4.28516944 -1.7475786 -1.31589783 -1.90040385 -2.29480518 0.749148575 -4.32021916 -0.531604203
// cost: 31 instructions, 1587811 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>, %arg3: tensor<2x20xf32>) -> (tensor<2x20x16xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %1 = stablehlo.compare GT, %arg3, %0, FLOAT : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2x20xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<2x20xi1>) -> tensor<2x1x20xi1>
    %3 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<2x20x20xf32>
    %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %6 = call @_where(%2, %5, %cst_1) : (tensor<2x1x20xi1>, tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<2x20xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<2x20x20xf32>
    %13 = stablehlo.exponential %12 : tensor<2x20x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %17 = stablehlo.divide %13, %16 : tensor<2x20x20xf32>
    %18 = stablehlo.dot_general %17, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %18 : tensor<2x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x20xi1>, %arg1: tensor<2x20x20xf32>, %arg2: tensor<f32>) -> tensor<2x20x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<2x1x20xi1>) -> tensor<2x20x20xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x20x20xi1>, tensor<2x20x20xf32>
    return %3 : tensor<2x20x20xf32>
  }
}
