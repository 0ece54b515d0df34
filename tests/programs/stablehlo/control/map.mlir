// tolerance: 1e-06
// routines: map
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.548077583 -0.363731503 0.578017652 -0.271267325 -0.582395792 -0.586509049 0.225657344 -0.821501017 0.0438658781 -0.309186935 -0.0709768757 0.581886232 -0.67802912 1.56899059 0.0595388189 0.057237938 0.066645667 1.34287632 -0.251875937 0.326050907 -0.181320399 -0.702518463 0.772698581 0.275887072 0.478291303 -0.312820941 -0.00482973969 -0.188987345 0.374572933 -0.107517809 -1.2615155 -0.392616779 0.284202665 -0.2226208 1.09587431
// cost: 0 instructions, 21140 ticks
func.func @main(%x: tensor<5x7xf32>, %y: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %z = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %b : tensor<f32>
    %d = stablehlo.subtract %c, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
  return %z : tensor<5x7xf32>
}
