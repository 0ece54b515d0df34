// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 2.5
// out: 9.38695621 -4.46442223 6.39946175 8.67936897 2.00401783 -1.07512188 3.20908737 -0.550545692 -5.60926342 -0.241204262 2.46743965 4.07188988 -3.64718914 8.28191566 -1.21848869 -3.90359592 6.32574749 6.05977726 -0.64447403 0.679404259
// cost: 25 instructions, 4068947 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<f32>) -> (tensor<20xf32>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<20x30xf32>, tensor<f32>) -> tensor<20xf32>
    return %0 : tensor<20xf32>
  }
}
