// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 9 -1 9.5367431640625e-07 2097153
// out: sums -0.560116272 -1.92631037 -0.970809118 -1.65403278 -1.19356848 -0.723490214 -1.60454949 -3.60768245 -2.27724524 -2.78417821 0.00746962124 -1.12860956 -1.87536564 0.109724273 -3.95586715 -1.0155567
// cost: 28 instructions, 1231959 ticks
module {
  func.func public @main(%arg0: tensor<2x20x16xf32>, %arg1: tensor<2x20x16xf32>, %arg2: tensor<2x20x16xf32>, %arg3: tensor<2x20x20xf32>) -> (tensor<2x20x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x20x16xf32>, tensor<2x20x16xf32>) -> tensor<2x20x20xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x20x20xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x20x20xf32>
    %3 = stablehlo.add %2, %arg3 : tensor<2x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x20xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<2x20xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %9 = stablehlo.subtract %3, %8 : tensor<2x20x20xf32>
    %10 = stablehlo.exponential %9 : tensor<2x20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x20x20xf32>, tensor<f32>) -> tensor<2x20xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x20xf32>) -> tensor<2x20x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x20x1xf32>) -> tensor<2x20x20xf32>
    %14 = stablehlo.divide %10, %13 : tensor<2x20x20xf32>
    %15 = stablehlo.dot_general %14, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x20x20xf32>, tensor<2x20x16xf32>) -> tensor<2x20x16xf32>
    return %15 : tensor<2x20x16xf32>
  }
}
