// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 13.0629247 -23.1828039 -9.99975287 -17.6915825 -9.32777486 -1.27691416 -8.7398393 -10.3685363 21.0252439 -0.733503466 -9.43222222 -28.3372319 -27.1816483 -9.94714955 -11.3214616 14.1785591
// cost: 5 instructions, 648340 ticks
module {
  func.func public @main(%arg0: tensor<3x20x16xf32>, %arg1: tensor<16x24xf32>) -> (tensor<3x20x24xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x24xf32>) -> tensor<3x16x24xf32>
    %1 = stablehlo.dot_general %arg0, %0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x20x16xf32>, tensor<3x16x24xf32>) -> tensor<3x20x24xf32>
    return %1 : tensor<3x20x24xf32>
  }
}
