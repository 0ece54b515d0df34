// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: -0.865844727 0.730834961 0.406555176 -0.319396973 0.0202026367 -0.508239746 0.526367188 0.172119141 0.0839233398 1.0010376
// out: 0.4921875 -0.9765625 -0.5390625 0.5078125 -0.64843744 -0.2578125 -0.00781250745 0.5546875 -0.6875 -0.42968753
// out: -0.865844727 0.406555176 0.0202026367 0.526367188 0.0839233398
// out: -0.9765625 0.5078125 -0.2578125 0.5546875 -0.42968753
// out: 1.09358263 0.740582168 0.697809815 0.554742515 0.810732722
// out: 0.235536784 -0.348579347 1.31214499 0.73019594 0.986683607 -0.260169327 1.43896604 0.891545057 0.988683224 -0.453057051
func.func @main(%x: tensor<5xcomplex<f32>>, %y: tensor<5xcomplex<f32>>) -> (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>) {
  %a = stablehlo.multiply %x, %y : tensor<5xcomplex<f32>>
  %b = stablehlo.divide %a, %y : tensor<5xcomplex<f32>>
  %c = stablehlo.real %a : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %d = stablehlo.imag %b : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %e = stablehlo.abs %x : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %f = stablehlo.complex %c, %d : tensor<5xcomplex<f32>>
  %g = stablehlo.exponential %f : tensor<5xcomplex<f32>>
  return %a, %b, %c, %d, %e, %g : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xcomplex<f32>>
}
