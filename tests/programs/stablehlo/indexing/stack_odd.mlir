// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 22.0124324 -0.744504835 8.56417881 16.2286509 -5.7888727 18.9376805 -3.98714515 -7.12172497 -25.5981552 21.0712622 -7.4810965 -19.504017 -45.7154555 18.0046016 84.881334 -14.234393
// cost: 47 instructions, 1787297 ticks
module {
  func.func public @main(%arg0: tensor<4099xf32>, %arg1: tensor<4099xf32>) -> (tensor<4099x2xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4099xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<4099xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4099xf32>) -> tensor<4099x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4099xf32>) -> tensor<4099x1xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<4099x1xf32>, tensor<4099x1xf32>) -> tensor<4099x2xf32>
    return %4 : tensor<4099x2xf32>
  }
}
