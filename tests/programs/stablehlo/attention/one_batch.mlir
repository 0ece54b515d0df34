// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -9.20130544 -5.14241557 -5.94285929 -8.4051768 -2.68776984 -4.30266123 -3.89960785 -6.7041499 -7.07680107 -3.37233829 -3.58120415 -9.1479608 -4.12175629 -2.50044713 -6.54966022 -2.70346473
// cost: 47 instructions, 1846110 ticks
module {
  func.func public @main(%arg0: tensor<2x20x3x16xf32>, %arg1: tensor<2x20x3x16xf32>, %arg2: tensor<2x20x3x16xf32>) -> (tensor<2x20x3x16xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %2 = stablehlo.transpose %arg1, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %4 = stablehlo.transpose %arg2, dims = [0, 2, 1, 3] : (tensor<2x20x3x16xf32>) -> tensor<2x3x20x16xf32>
    %5 = stablehlo.reshape %4 : (tensor<2x3x20x16xf32>) -> tensor<6x20x16xf32>
    %6 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<6x20x16xf32>) -> tensor<6x16x20xf32>
    %7 = stablehlo.dot_general %1, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> tensor<6x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x20x20xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<6x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x20xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<6x20xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<6x20x20xf32>
    %16 = stablehlo.exponential %15 : tensor<6x20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<6x20x20xf32>, tensor<f32>) -> tensor<6x20xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<6x20xf32>) -> tensor<6x20x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<6x20x1xf32>) -> tensor<6x20x20xf32>
    %20 = stablehlo.divide %16, %19 : tensor<6x20x20xf32>
    %21 = stablehlo.dot_general %20, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<6x20x16xf32>) -> tensor<2x3x20x16xf32>
    %23 = stablehlo.transpose %22, dims = [0, 2, 1, 3] : (tensor<2x3x20x16xf32>) -> tensor<2x20x3x16xf32>
    return %23 : tensor<2x20x3x16xf32>
  }
}
