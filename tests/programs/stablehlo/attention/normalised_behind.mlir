// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -1.01784362 -2.11621354 -0.780322172 -1.91317196 -0.493108221 -0.471837716 -2.11089616 -3.11742562 -1.75516117 -1.29159093 -0.676148872 -0.444224129 -1.59606602 0.750252399 -2.99002725 -1.02038775
// cost: 22 instructions, 1035651 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>) -> (tensor<2x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x20x20xf32>
    %3 = stablehlo.exponential %2 : tensor<2x20x20xf32>
    %4 = stablehlo.dot_general %3, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x16xf32>
    %8 = stablehlo.divide %4, %7 : tensor<2x20x16xf32>
    return %8 : tensor<2x20x16xf32>
  }
}
