// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -15.5019741 6.45877504 25.2116776 1.89611769 -5.49466562 7.04866219 -17.5263863 4.01703691 -12.3934002 7.22746658 -7.82507849 1.47068334 2.66180587 4.11429548 -13.0531197 11.7840557 -7.43113136 -19.2476959 6.07815123 -2.89131975 16.5552464 13.9282227 -24.8792782 37.0569344 -7.77537155 -0.551580906 -19.2619572 2.32334042 3.5645237 7.52142382 1.48444653 -5.46697569 10.4764442 -11.9199839 -5.70208836 -13.2474747 -10.9484806 32.0234261 8.1152029 13.5535965
// cost: 6 instructions, 679430 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x33xf32>) -> (tensor<40xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x33xf32>) -> tensor<40x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x33xf32>, tensor<f32>) -> tensor<40xf32>
    return %1 : tensor<40xf32>
  }
}
