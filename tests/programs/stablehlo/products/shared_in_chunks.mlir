// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 18.4023213 39.3961859 -33.0921599 -10.8406626 -14.340508 17.1929622 -7.08034921 5.86762266 8.1993557 -24.5083553 -5.34786838 -10.9280828 -1.04605682 30.9850579 -26.3517095 16.05553
// cost: 19 instructions, 972287 ticks
module {
  func.func public @main(%arg0: tensor<1x16x4x12xf32>, %arg1: tensor<16x20xf32>, %arg2: tensor<16x20xf32>) -> (tensor<2x8x4x12xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 3] : (tensor<16x20xf32>) -> tensor<1x16x1x20xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x16x1x20xf32>) -> tensor<1x16x4x20xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x16x4x20xf32>) -> tensor<2x8x4x20xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [1, 3] : (tensor<16x20xf32>) -> tensor<1x16x1x20xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x16x1x20xf32>) -> tensor<1x16x4x20xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x16x4x20xf32>) -> tensor<2x8x4x20xf32>
    %6 = stablehlo.dot_general %5, %2, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x20xf32>, tensor<2x8x4x20xf32>) -> tensor<2x4x8x8xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<1x16x4x12xf32>) -> tensor<2x8x4x12xf32>
    %8 = stablehlo.dot_general %7, %6, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x4x12xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x12x8xf32>
    %9 = stablehlo.transpose %8, dims = [0, 3, 1, 2] : (tensor<2x4x12x8xf32>) -> tensor<2x8x4x12xf32>
    return %9 : tensor<2x8x4x12xf32>
  }
}
