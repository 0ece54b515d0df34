// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -0.658008583 -0.216835565 -0.367822124 -0.477868231 -0.571533228 0.0690636402 -0.62018644 0.0766987354 0.351606644 -0.0318430382 -0.284395543 -0.189293071 0.0484171115 -0.488197003 -0.397636197 -0.242544114
// cost: 51 instructions, 2625312 ticks
module {
  func.func public @main(%arg0: tensor<2x9x16xf32>, %arg1: tensor<2x130x16xf32>, %arg2: tensor<2x130x16xf32>) -> (tensor<2x9x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x9x16xf32>, tensor<2x130x16xf32>) -> tensor<2x9x130xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x9x130xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x9x130xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<2x9x130xf32>, tensor<f32>) -> tensor<2x9xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x9xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<2x9xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x130xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<2x9x130xf32>
    %9 = stablehlo.exponential %8 : tensor<2x9x130xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x9x130xf32>, tensor<f32>) -> tensor<2x9xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x130xf32>
    %13 = stablehlo.divide %9, %12 : tensor<2x9x130xf32>
    %14 = stablehlo.dot_general %13, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x9x130xf32>, tensor<2x130x16xf32>) -> tensor<2x9x16xf32>
    return %14 : tensor<2x9x16xf32>
  }
}
