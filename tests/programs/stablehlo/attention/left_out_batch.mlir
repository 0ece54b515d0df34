// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -4.11156461 -4.52821264 -7.15932579 -4.20701734 -5.34899801 -5.16391832 -3.29654784 -1.42717056 -2.59643753 -4.35678125 -5.44386287 -7.13272459 -0.616665677 -0.209889349 -7.79164004 -4.36279343
// cost: 27 instructions, 1573216 ticks
module {
  func.func public @main(%arg0: tensor<1x20x6x16xf32>, %arg1: tensor<1x20x2x16xf32>, %arg2: tensor<1x20x2x16xf32>) -> (tensor<1x20x6x16xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 4] : (tensor<1x20x2x16xf32>) -> tensor<1x20x2x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x2x3x16xf32>) -> tensor<1x20x6x16xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 4] : (tensor<1x20x2x16xf32>) -> tensor<1x20x2x3x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x20x2x3x16xf32>) -> tensor<1x20x6x16xf32>
    %4 = stablehlo.transpose %arg0, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %5 = stablehlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %6 = stablehlo.transpose %3, dims = [0, 2, 1, 3] : (tensor<1x20x6x16xf32>) -> tensor<1x6x20x16xf32>
    %7 = stablehlo.transpose %5, dims = [0, 1, 3, 2] : (tensor<1x6x20x16xf32>) -> tensor<1x6x16x20xf32>
    %8 = stablehlo.reshape %4 : (tensor<1x6x20x16xf32>) -> tensor<6x20x16xf32>
    %9 = stablehlo.reshape %7 : (tensor<1x6x16x20xf32>) -> tensor<6x16x20xf32>
    %10 = stablehlo.dot_general %8, %9, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x16xf32>, tensor<6x16x20xf32>) -> tensor<6x20x20xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<6x20x20xf32>) -> tensor<1x6x20x20xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6x20x20xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<1x6x20x20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x6x20xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<1x6x20xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<1x6x20x20xf32>
    %20 = stablehlo.exponential %19 : tensor<1x6x20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x6x20x20xf32>, tensor<f32>) -> tensor<1x6x20xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x6x20xf32>) -> tensor<1x6x20x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x6x20x1xf32>) -> tensor<1x6x20x20xf32>
    %24 = stablehlo.divide %20, %23 : tensor<1x6x20x20xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x6x20x20xf32>) -> tensor<6x20x20xf32>
    %26 = stablehlo.reshape %6 : (tensor<1x6x20x16xf32>) -> tensor<6x20x16xf32>
    %27 = stablehlo.dot_general %25, %26, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x20x20xf32>, tensor<6x20x16xf32>) -> tensor<6x20x16xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1, 2, 3] : (tensor<6x20x16xf32>) -> tensor<1x6x20x16xf32>
    %29 = stablehlo.transpose %28, dims = [0, 2, 1, 3] : (tensor<1x6x20x16xf32>) -> tensor<1x20x6x16xf32>
    return %29 : tensor<1x20x6x16xf32>
  }
}
