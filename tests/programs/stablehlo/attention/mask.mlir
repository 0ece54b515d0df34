// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 1 0 1 7
// out: sums -1.13669169 -0.629157083 -0.0295202106 -1.17024568 -0.630866932 -0.148295455 -1.2475598 -2.83217768 -1.9264281 -1.20218953 -1.39436726 0.862081255 -1.42698689 0.720278126 -3.66899181 0.600926933
// cost: 29 instructions, 1226359 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>, %arg3: tensor<2x20x20xf32>) -> (tensor<2x20x16xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %1 = stablehlo.compare GT, %arg3, %0, FLOAT : (tensor<2x20x20xf32>, tensor<2x20x20xf32>) -> tensor<2x20x20xi1>
    %2 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<2x20x20xf32>
    %cst_1 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %5 = call @_where(%1, %4, %cst_1) : (tensor<2x20x20xi1>, tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x20xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x20x20xf32>
    %12 = stablehlo.exponential %11 : tensor<2x20x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x20x20xf32>
    %17 = stablehlo.dot_general %16, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %17 : tensor<2x20x16xf32>
  }
  func.func private @_where(%arg0: tensor<2x20x20xi1>, %arg1: tensor<2x20x20xf32>, %arg2: tensor<f32>) -> tensor<2x20x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x20x20xi1>, tensor<2x20x20xf32>
    return %2 : tensor<2x20x20xf32>
  }
}
