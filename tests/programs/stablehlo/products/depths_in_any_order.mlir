// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -29.9873962 12.6203533 -83.9161605 -79.6955349 -1.37270977 13.4681436 45.9655454 51.3286005 -30.2183225 -9.37995811 22.7907872 46.6296212 93.9458014 -38.9548163 -42.0393367 -11.1268189
// cost: 11 instructions, 779571 ticks
module {
  func.func public @main(%arg0: tensor<3x2x9x2x40xf32>, %arg1: tensor<2x2x40x30xf32>) -> (tensor<3x9x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [4, 1, 3] x [2, 0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x2x9x2x40xf32>, tensor<2x2x40x30xf32>) -> tensor<3x9x30xf32>
    return %0 : tensor<3x9x30xf32>
  }
}
